import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, type Ended, fsAgent, MAIN } from "./support/program.js";

let cwd = "";
beforeAll(async () => {
  await build();
  cwd = await mkdtemp(join(tmpdir(), "fs-cli-"));
  await mkdir(join(cwd, "data"));
  await writeFile(
    join(cwd, "fs.config.json"),
    JSON.stringify({
      routes: {
        "/": { use: "disk", rootDir: "data" },
        "/ro/": { use: "disk", rootDir: ".", readOnly: true },
      },
    }),
  );
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const run = (args: readonly string[], input?: string | Uint8Array): Promise<Ended> =>
  fsAgent(args, { cwd, ...(input === undefined ? {} : { input }) });
const json = async (...args: readonly string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await run(["--json", ...args])).stdout) as Record<string, unknown>;

// A process is started for each command, which takes long on a busy machine.
describe("fs-agent", () => {
  it("writes, reads, edits, finds, moves and removes, with the documented exit codes", async () => {
    expect((await run(["write", "/a/x.txt"], "one\r\ntwo\n")).code).toBe(0);
    expect((await run(["read", "/a/x.txt"])).stdout).toBe("one\r\ntwo\n");
    expect(await run(["write", "/a/x.txt"], "other")).toMatchObject({ code: 1, stdout: "" });
    expect((await run(["edit", "/a/x.txt", "two", "2", "--dry-run"])).stdout).toContain("+2");
    expect((await run(["edit", "/a/x.txt", "two", "2"])).code).toBe(0);
    expect((await run(["edit", "/a/x.txt", "nothing", "2"])).code).toBe(1);
    const stale = await run(["edit", "/a/x.txt", "one", "1", "--if-version", "stale"]);
    expect(stale.code).toBe(5);
    expect((await run(["grep", "2", "/a"])).stdout).toBe("/a/x.txt:2:2\n");
    expect((await run(["glob", "**/*.txt", "/a"])).stdout).toBe("/a/x.txt\n");
    expect((await run(["cp", "/a/x.txt", "/b.txt"])).code).toBe(0);
    expect((await run(["mv", "/b.txt", "/c.txt"])).code).toBe(0);
    expect((await run(["diff", "/a/x.txt", "/c.txt"])).stdout).toBe("");
    expect((await run(["diff", "/a/x.txt", "-"], "one\r\n")).stdout).toContain("-2");
    expect((await run(["tree"])).stdout).toContain("a/\n  x.txt\n");
    expect((await run(["ls", "-l", "/a"])).stdout).toMatch(/^ +7 {2}\S+ {2}\/a\/x\.txt/);
    expect((await run(["rm", "/c.txt", "/missing"])).code).toBe(4);
    expect((await run(["rm", "/missing"])).code).toBe(1);
    expect((await run(["write", "/ro/x"], "")).code).toBe(1);
    expect((await run(["exec", "true"])).code).toBe(1);
  });

  it("answers programs with one value, the protocol's own result", async () => {
    await run(["write", "/j/\u202efile.txt"], "text\n");
    const listed = await json("ls", "/j");
    expect(listed["files"]).toMatchObject([{ path: "/j/\u202efile.txt", size: 5 }]);
    expect((await run(["ls", "/j"])).stdout).toBe("/j/\\u{202e}file.txt\n");
    expect(await json("stat", "/j")).toMatchObject({ info: { path: "/j/", is_dir: true } });
    expect(await json("read", "/no")).toMatchObject({ code: "not_found" });
    const bytes = new Uint8Array([0x41, 0xff, 0x0a, 0x42, 0x00]);
    await run(["write", "/j/bin"], bytes);
    expect(await json("read", "/j/bin")).toMatchObject({
      encoding: "base64",
      content: Buffer.from(bytes).toString("base64"),
    });
    const { version } = await json("read", "/j/bin");
    if (typeof version === "string")
      expect((await run(["write", "/j/bin", "--if-version", version], "x")).code).toBe(0);
  });

  it("uploads and downloads exact bytes, never outside of the folder", async () => {
    const bytes = new Uint8Array([0x41, 0xff, 0x0a, 0x0d, 0x00]);
    await mkdir(join(cwd, "local/deep"), { recursive: true });
    await writeFile(join(cwd, "local/deep/b.bin"), bytes);
    await writeFile(join(cwd, "local/a.txt"), "a");
    expect((await run(["upload", "local/**", "--to", "/up"])).stdout).toBe(
      "Uploaded /up/local/a.txt\nUploaded /up/local/deep/b.bin\n",
    );
    expect((await run(["upload", "local/a.txt", "--to", "/up"])).code).toBe(1);
    expect((await run(["download", "/up", "back"])).code).toBe(0);
    expect(new Uint8Array(await readFile(join(cwd, "back/local/deep/b.bin")))).toEqual(bytes);
    expect((await run(["download", "/up/local/a.txt", "back"])).code).toBe(0);
    expect(await readdir(join(cwd, "back"))).toEqual(["a.txt", "local"]);
    expect((await run(["upload", "nothing-*"])).code).toBe(1);
  });

  it("says what it can in one screen, and refuses what it cannot understand", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    expect(stdout.split("\n").length).toBeLessThan(50);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    for (const args of [
      ["fly"],
      ["ls", "--fly"],
      ["read"],
      ["grep", "x", "--max", "many"],
      ["completion", "x"],
    ])
      expect((await run(args)).code).toBe(2);
    expect((await run(["--config", "none.json", "ls"])).code).toBe(3);
    for (const shell of ["bash", "zsh", "fish"])
      expect((await run(["completion", shell])).stdout).toContain("download");
  });

  it("probes every route and leaves nothing behind", async () => {
    const before = await readdir(join(cwd, "data"));
    const { code, stdout } = await run(["--json", "doctor"]);
    expect(JSON.parse(stdout)).toMatchObject({
      routes: [
        {
          path: "/",
          use: "disk",
          reachable: true,
          conditions: { create: true, replace: true, delete: true },
        },
        { path: "/ro/", reachable: true },
      ],
    });
    expect(code).toBe(0);
    expect(await readdir(join(cwd, "data"))).toEqual(before);
  });
});

describe("an interrupt", () => {
  it("ends a server in order, and a command that waits with 130", async () => {
    const served = spawn(process.execPath, [MAIN, "mcp", "--http"], { cwd });
    await once(served.stderr, "data");
    served.kill("SIGINT");
    expect(await once(served, "close")).toEqual([0, null]);
    // Nothing is written to its input, so that the command waits until the second signal; its configuration says when it
    // has begun, and so can be interrupted.
    const text = 'console.error("begun"); export default { routes: {} };';
    await writeFile(join(cwd, "begun.mjs"), text);
    const args = ["--config", "begun.mjs", "write", "/never"];
    const waiting = spawn(process.execPath, [MAIN, ...args], { cwd });
    await once(waiting.stderr, "data");
    waiting.kill("SIGINT");
    const again = setInterval(() => waiting.kill("SIGINT"), 500);
    const [code] = (await once(waiting, "close")) as [number | null];
    clearInterval(again);
    expect(code).toBe(130);
  });
});

describe("what ls loads", () => {
  it("is nothing of LangChain, MCP, zod or a backend that is not used", async () => {
    const coverage = await mkdtemp(join(tmpdir(), "fs-cli-loaded-"));
    try {
      // Node's coverage lists every script that ran, whichever way it was imported.
      await fsAgent(["ls"], { cwd, env: { NODE_V8_COVERAGE: coverage } });
      const reports = await Promise.all(
        (await readdir(coverage)).map((name) => readFile(join(coverage, name), "utf8")),
      );
      const loaded = reports.flatMap((text) =>
        (JSON.parse(text) as { result: Array<{ url: string }> }).result.map(({ url }) => url),
      );
      const files = loaded.filter((url) => url.startsWith("file:"));
      expect(files.some((url) => url.includes("/packages/disk/"))).toBe(true);
      const unwanted = files.filter((url) =>
        /\/(?:@?langchain|langsmith|@modelcontextprotocol|zod|@aws-sdk|pg|ioredis|yaml|fast-glob|diff)\/|packages\/(?:mcp|tools|postgres|s3|redis|hub|store|state|shell|conformance)\//.test(
          url.replace(/^.*\/node_modules\/\.pnpm\//, "/"),
        ),
      );
      expect(unwanted).toEqual([]);
    } finally {
      await rm(coverage, { recursive: true });
    }
  });
});
