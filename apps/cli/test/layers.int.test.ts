import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, type Ended, fsAgent } from "./support/program.js";

let cwd = "";
beforeAll(async () => {
  await build();
  cwd = await mkdtemp(join(tmpdir(), "fs-cli-layers-"));
  const routes = { "/": { use: "disk", rootDir: "data" } };
  const journal = { store: { use: "disk", rootDir: "journal" } };
  const staging = { upper: { use: "disk", rootDir: "upper" } };
  await writeFile(join(cwd, "fs.config.json"), JSON.stringify({ routes, journal, staging }));
  await writeFile(join(cwd, "direct.json"), JSON.stringify({ routes, journal }));
  await writeFile(join(cwd, "plain.json"), JSON.stringify({ routes }));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const run = (args: readonly string[], input = ""): Promise<Ended> => fsAgent(args, { cwd, input });
const direct = (args: readonly string[], input = ""): Promise<Ended> =>
  run(["--config", "direct.json", ...args], input);
const onDisk = (name: string): Promise<string> => readFile(join(cwd, "data", name), "utf8");

// A process is started for each command, which takes long on a busy machine.
describe("fs-agent with staging and a journal", () => {
  it("stages, shows, commits in part, and discards", async () => {
    await direct(["write", "/a.md"], "one\n");
    expect((await run(["edit", "/a.md", "one", "two"])).code).toBe(0);
    await run(["write", "/b.ts"], "new\n");
    expect(await onDisk("a.md")).toBe("one\n");
    expect((await run(["changes"])).stdout).toBe("M /a.md\nA /b.ts\n");
    expect((await run(["diff", "*.md"])).stdout).toContain("-one\n+two\n");
    expect((await run(["commit", "--dry-run"])).stdout).toBe("applied /a.md\napplied /b.ts\n");
    expect(await onDisk("a.md")).toBe("one\n");
    expect(await run(["commit", "*.md"])).toMatchObject({ code: 0, stdout: "applied /a.md\n" });
    expect(await onDisk("a.md")).toBe("two\n");
    expect((await run(["discard"])).code).toBe(2);
    expect((await run(["discard", "--all"])).stdout).toBe("Discarded /b.ts\n");
    expect((await run(["changes"])).stdout).toBe("");
  });

  it("never commits over what someone else changed", async () => {
    await direct(["write", "/c.md"], "one\n");
    await direct(["write", "/d.md"], "one\n");
    await run(["edit", "/c.md", "one", "ours"]);
    await direct(["edit", "/c.md", "one", "theirs"]);
    const conflict = await run(["commit"]);
    expect(conflict.code).toBe(5);
    expect(conflict.stdout).toContain("conflict /c.md");
    await run(["edit", "/d.md", "one", "two"]);
    expect((await run(["commit"])).code).toBe(4);
    expect(await onDisk("c.md")).toBe("theirs\n");
    expect(await onDisk("d.md")).toBe("two\n");
    await run(["discard", "--all"]);
  });

  it("says who changed what, and takes it back and forth", async () => {
    await direct(["write", "/e.md"], "one\nkept\n");
    await direct(["edit", "/e.md", "one", "two"]);
    const log = (await direct(["log", "/e.md"])).stdout.trim().split("\n");
    expect(log).toHaveLength(2);
    const [id = ""] = log[1]?.split("  ") ?? [];
    expect((await direct(["blame", "/e.md"])).stdout).toContain(`${id} `);
    const undone = JSON.parse((await direct(["--json", "undo", id])).stdout) as { record: string };
    expect(await onDisk("e.md")).toBe("one\nkept\n");
    expect((await direct(["redo", undone.record])).code).toBe(0);
    expect(await onDisk("e.md")).toBe("two\nkept\n");
    await direct(["edit", "/e.md", "two", "three"]);
    expect((await direct(["undo", id])).code).toBe(5);
    expect(await onDisk("e.md")).toBe("three\nkept\n");
    expect((await direct(["undo"])).code).toBe(1);
  });

  it("keeps a snapshot and restores it, as a change that can be undone", async () => {
    await direct(["write", "/f.md"], "one\n");
    expect((await direct(["snapshot", "first"])).code).toBe(0);
    expect((await direct(["snapshot", "first"])).code).toBe(1);
    await direct(["edit", "/f.md", "one", "two"]);
    await direct(["write", "/g.md"], "new\n");
    expect((await direct(["restore", "first", "--dry-run"])).stdout).toContain("/f.md");
    expect(await onDisk("f.md")).toBe("two\n");
    expect((await direct(["restore", "first"])).code).toBe(0);
    expect(await onDisk("f.md")).toBe("one\n");
    await expect(onDisk("g.md")).rejects.toThrow("ENOENT");
    expect((await direct(["log", "/g.md"])).stdout.trim().split("\n")).toHaveLength(2);
    expect((await direct(["restore", "missing"])).code).toBe(1);
    expect((await direct(["restore"])).code).toBe(2);
  });

  it("says which part of the configuration is missing", async () => {
    for (const command of [["changes"], ["commit"], ["diff"], ["log"], ["snapshot", "x"]]) {
      const { code, stderr } = await run(["--config", "plain.json", ...command]);
      expect(code).toBe(3);
      expect(stderr).toMatch(/'staging'|'journal'/);
    }
  });
});
