import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryBackend } from "@fs/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askBattery, differences } from "../src/battery.js";
import { chooseWorkspace } from "../src/choose-workspace.js";
import { proveClaims } from "../src/proofs.js";
import { raceEdits } from "../src/race.js";
import { embeddedPostgres } from "../src/reports.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fs-demo-proofs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the proofs", () => {
  test("hold, and show what each side of the race kept", async () => {
    const printed: string[] = [];
    const postgres = await embeddedPostgres();
    const { claims } = await proveClaims(folder, postgres.backend, (line) => printed.push(line));
    await postgres.close();
    expect([
      claims.filter(({ held }) => !held),
      printed.filter((line) => line.includes("differs")),
    ]).toEqual([[], []]);
    expect(claims).toHaveLength(4);
    expect(printed.join("\n")).toContain("@fs/disk    20 acknowledged, 20 of them in the file");
    // How many it keeps depends on the disk; that it loses some does not.
    const [, acknowledged, kept] =
      /deepagents {2}(\d+) acknowledged, (\d+) of them in the file/.exec(printed.join("\n")) ?? [];
    expect(Number(kept)).toBeLessThan(Number(acknowledged));
  });

  test("a backend that loses edits is seen", async () => {
    class LastStays extends MemoryBackend {
      override async edit(...args: Parameters<MemoryBackend["edit"]>) {
        const [path, old, replacement] = args;
        const before = await this.read(path);
        await new Promise(setImmediate);
        await this.uploadFiles([
          [path, new TextEncoder().encode(String(before.content).replace(old, replacement))],
        ]);
        return { path, occurrences: 1 };
      }
    }
    const { acknowledged, kept } = await raceEdits("faulty", new LastStays());
    expect(acknowledged).toBe(20);
    expect(kept).toBeLessThan(20);
  });

  test("a place that answers otherwise is seen", async () => {
    class Overwrites extends MemoryBackend {
      constructor() {
        super({ writeMode: "overwrite" });
      }
    }
    const [good, other] = [new MemoryBackend(), new Overwrites()];
    const results = [
      await askBattery("good", good, "/first"),
      await askBattery("alike", new MemoryBackend(), "/second/place"),
      await askBattery("other", other, "/first"),
    ];
    expect(differences(results.slice(0, 2))).toEqual([]);
    expect(differences(results)[0]).toMatch(/^write again: other answers/);
  });
});

describe("the directory to explore", () => {
  test("is one line of advice where there is none", async () => {
    const file = join(folder, "a-file");
    await writeFile(file, "");
    expect(await chooseWorkspace(join(folder, "none"), folder)).toEqual({
      problem: `${join(folder, "none")} does not exist.`,
    });
    expect(await chooseWorkspace(file, folder)).toEqual({ problem: `${file} is not a directory.` });
    expect(await chooseWorkspace(undefined, folder)).toHaveProperty("directory");
  });
});
