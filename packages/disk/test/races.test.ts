import { execFile, fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { buildProjects } from "@fs/test-servers/built";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { FilesystemBackend } from "@fs/disk";
import { temporaryRoot } from "./temporary-root.js";
import { snapshot } from "./witness.js";

const run = promisify(execFile);
const fixture = (name: string): string => join(import.meta.dirname, "fixtures", name);

async function started(name: string, ...args: string[]): Promise<ChildProcess> {
  const child = fork(fixture(name), args, { execArgv: [] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await once(child, "message");
  return child;
}

beforeAll(() => buildProjects("packages/disk"));

test("40 parallel edits from two processes are all applied", async () => {
  const root = temporaryRoot();
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i}.\n`).join("");
  writeFileSync(join(root, "shared.txt"), lines);
  const outputs = await Promise.all(
    [
      ["0", "20"],
      ["20", "40"],
    ].map((range) => run(process.execPath, [fixture("edit-lines.mjs"), root, ...range])),
  );
  for (const { stdout } of outputs) {
    expect(JSON.parse(stdout)).toEqual(Array.from({ length: 20 }, () => "ok"));
  }
  expect(readFileSync(join(root, "shared.txt"), "utf8")).toBe(lines.replaceAll("line", "done"));
  expect(readdirSync(root)).toEqual(["shared.txt"]);
});

test("a writer killed at any moment leaves the old or the new file", async () => {
  const root = temporaryRoot();
  const length = 300_000;
  writeFileSync(join(root, "file.txt"), "a".repeat(length));
  writeFileSync(join(root, "small.txt"), "a".repeat(64));
  const backend = new FilesystemBackend({ rootDir: root });
  for (let round = 0; round < 10; round++) {
    const child = await started("rewrite.mjs", root, String(length));
    await delay(5 + round * 7);
    child.kill("SIGKILL");
    await once(child, "exit");
    for (const [name, size] of [
      ["file.txt", length],
      ["small.txt", 64],
    ] as const) {
      const content = readFileSync(join(root, name), "utf8");
      expect(content.length).toBe(size);
      expect(new Set(content).size).toBe(1);
    }
    // What a dead process held is free again, and what it left behind is not shown.
    const letter = readFileSync(join(root, "small.txt"), "utf8").slice(0, 1);
    const edited = await backend.edit("/small.txt", letter.repeat(64), "a".repeat(64));
    expect(edited.error).toBeUndefined();
    expect((await backend.ls("/")).files?.map(({ path }) => path)).toEqual([
      "/file.txt",
      "/small.txt",
    ]);
  }
});

describe("while a directory is swapped for a link outside,", () => {
  const SECRET = "top-secret-content";

  async function swapped(): Promise<{ root: string; outside: string; backend: FilesystemBackend }> {
    const base = temporaryRoot();
    const [root, outside] = [join(base, "root"), join(base, "outside")];
    mkdirSync(join(root, "d"), { recursive: true });
    mkdirSync(outside);
    for (const name of ["a.txt", "b.txt", "c.txt"]) {
      writeFileSync(join(root, "d", name), "inside\n");
      writeFileSync(join(outside, name), `${SECRET}\n`);
    }
    writeFileSync(join(outside, "only-outside"), SECRET);
    await started("swap.mjs", join(root, "d"), outside);
    return { root, outside, backend: new FilesystemBackend({ rootDir: root }) };
  }

  test("nothing outside is read or listed", async () => {
    const { outside, backend } = await swapped();
    const before = snapshot(outside);
    let inside = 0;
    for (let round = 0; round < 1500; round++) {
      const read = await backend.read("/d/a.txt");
      if (read.content === "inside\n") inside++;
      const told = JSON.stringify([read, await backend.ls("/d"), await backend.glob("d/*")]);
      expect(told).not.toContain(SECRET);
      expect(told).not.toContain("only-outside");
    }
    for (let round = 0; round < 20; round++) {
      expect(JSON.stringify(await backend.grep("secret"))).not.toContain(SECRET);
    }
    // Otherwise the swapping had stopped, and nothing was shown.
    expect(inside).toBeGreaterThan(0);
    expect(snapshot(outside)).toEqual(before);
  });

  test("nothing outside is written, moved or deleted", async () => {
    const { outside, backend } = await swapped();
    const before = snapshot(outside);
    let done = 0;
    for (let round = 0; round < 1000; round++) {
      const results = [
        await backend.write(`/d/new-${round}.txt`, "x"),
        await backend.edit("/d/a.txt", "inside", "inside"),
        await backend.uploadFiles([["/d/b.txt", new Uint8Array([105])]]),
        await backend.write(`/d/deep-${round}/x/y.txt`, "x"),
        await backend.move(`/d/new-${round}.txt`, `/d/moved-${round}.txt`),
        await backend.delete("/d/only-outside"),
        await backend.delete(`/d/deep-${round}`),
      ];
      if (results.some((result) => !Array.isArray(result) && result.error === undefined)) done++;
    }
    expect(done).toBeGreaterThan(0);
    expect(snapshot(outside)).toEqual(before);
  });
});
