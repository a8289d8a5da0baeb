import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isSandboxBackend } from "@fs/protocol";
import { LocalShellBackend } from "@fs/shell";

const rootDir = mkdtempSync(join(tmpdir(), "fs-shell-execute-"));
const shell = new LocalShellBackend({ rootDir });

/** Processes whose command line holds a mark. */
function running(mark: string): string[] {
  const lines = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(mark));
}

describe("execute", () => {
  test("interleaves both streams, as they were written", async () => {
    const { output, exitCode } = await shell.execute(
      "echo 1; echo 2 >&2; echo 3; echo 4 >&2; exit 7",
    );
    expect({ output, exitCode }).toEqual({ output: "1\n2\n3\n4\n", exitCode: 7 });
  });

  test("closes standard input", async () => {
    expect(await shell.execute("cat; echo done")).toMatchObject({ output: "done\n", exitCode: 0 });
  });

  test("shares the files, and reports what the shell says", async () => {
    await shell.write("/made/by-backend.txt", "hello");
    expect(await shell.execute("cat made/by-backend.txt && echo x > by-command.txt")).toMatchObject(
      { output: "hello" },
    );
    expect(await shell.read("/by-command.txt")).toMatchObject({ content: "x\n" });
    expect(await shell.execute("no-such-command-here")).toMatchObject({ exitCode: 127 });
    expect(await shell.execute("kill -9 $$")).toMatchObject({ exitCode: null });
  });

  test.each<[unknown]>([
    [""],
    ["  "],
    [undefined],
    [7],
    ["a\0b"],
    ["\ud800"],
    ["x".repeat(130_000)],
  ])("refuses %j", async (command) => {
    expect(await shell.execute(command as never)).toMatchObject({
      code: "invalid_argument",
      exitCode: null,
    });
  });

  test.each([-1, Number.NaN, Infinity, 1e9])("refuses a timeout of %s", async (timeout) => {
    expect(await shell.execute("true", { timeout })).toMatchObject({ code: "invalid_argument" });
  });

  test("multi-byte output is intact across chunks", async () => {
    const { output } = await shell.execute(
      `i=0; while [ $i -lt 3000 ]; do printf 'é😀'; i=$((i+1)); done`,
    );
    expect(output).toBe("é😀".repeat(3000));
  });

  test("endless output is cut while it streams, with its head and tail", async () => {
    const before = process.memoryUsage.rss();
    const { output, truncated, exitCode } = await shell.execute(
      "echo first; head -c 500000000 /dev/zero | tr '\\0' x; echo; echo last",
    );
    expect({ truncated, exitCode }).toEqual({ truncated: true, exitCode: 0 });
    expect(output.startsWith("first\n")).toBe(true);
    expect(output.endsWith("\nlast\n")).toBe(true);
    expect(Buffer.byteLength(output)).toBeLessThan(101_000);
    // Generous: the garbage collector decides when. Kept whole, it would be 500.
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(150);
  });

  test("a file of the host's secrets is not in the environment", async () => {
    process.env["FS_TEST_SECRET"] = "s3cr3t";
    const plain = await shell.execute("env");
    const inheriting = await new LocalShellBackend({
      rootDir,
      inheritEnv: true,
      env: { MINE: "1" },
    }).execute("env");
    delete process.env["FS_TEST_SECRET"];
    expect(plain.output).not.toContain("s3cr3t");
    expect(inheriting.output).toContain("s3cr3t");
    expect(inheriting.output).toContain("MINE=1");
  });

  test("with host paths, commands still start in the root directory", async () => {
    const hosted = new LocalShellBackend({ workingDirectory: rootDir, virtualMode: false });
    expect(await hosted.execute("pwd")).toMatchObject({ output: `${rootDir}\n` });
    expect(isSandboxBackend(hosted)).toBe(true);
  });
});

describe("a timeout", () => {
  test.each([
    ["a child that ignores TERM", `trap '' TERM; sh -c 'trap "" TERM; sleep 61.11' MARK`],
    ["a grandchild that holds the pipe", "sleep 61.11 & sleep 61.11"],
    ["a pipeline", "sleep 61.11 | cat"],
    ["a busy loop", "while :; do :; done # 61.11"],
  ])("ends %s, group and all", async (_, command) => {
    const done = await shell.execute(`echo begun; ${command}`, { timeout: 0.3 });
    expect(done).toMatchObject({ code: "timeout", exitCode: null });
    expect(done.output).toContain("begun\n");
    expect(done.output).toContain("ended after 0.3 s");
    await delay(50);
    expect(running("61.11")).toEqual([]);
  });

  test("0 is no limit", async () => {
    const patient = new LocalShellBackend({ rootDir, timeout: 0.2 });
    expect(await patient.execute("sleep 0.6; echo slept", { timeout: 0 })).toMatchObject({
      output: "slept\n",
    });
    expect(await patient.execute("sleep 5")).toMatchObject({ code: "timeout" });
  });

  test("an abort does the same", async () => {
    const controller = new AbortController();
    const pending = shell.execute("echo begun; sleep 62.22", { signal: controller.signal });
    await delay(100);
    controller.abort();
    expect(await pending).toMatchObject({ code: "aborted", exitCode: null });
    await delay(50);
    expect(running("62.22")).toEqual([]);
    expect(await shell.execute("echo x", { signal: AbortSignal.abort() })).toMatchObject({
      code: "aborted",
    });
  });
});

test("what a command leaves behind does not hold up its answer, and does not stay", async () => {
  const done = await shell.execute("sleep 63.33 & echo started");
  expect(done).toMatchObject({ output: "started\n", exitCode: 0 });
  await delay(50);
  expect(running("63.33")).toEqual([]);
});

describe("an agent and a program that move from deepagents", () => {
  test("describe where files are for a command, without a host path", () => {
    expect(shell.executeDescription).toContain("the tools' /src/a.ts is src/a.ts in a command");
    expect(shell.executeDescription).not.toContain(rootDir);
    const host = new LocalShellBackend({ rootDir, virtualMode: false });
    expect(host.executeDescription).toContain("same file");
    expect(host.executeDescription).not.toContain(rootDir);
  });

  test("create, initialize and close a backend", async () => {
    const directory = join(rootDir, "made", "by-create");
    const backend = await LocalShellBackend.create({
      rootDir: directory,
      initialFiles: { "/a.txt": "one", "b/c.txt": "two" },
    });
    expect([backend.isRunning, backend.isInitialized]).toEqual([true, true]);
    expect(await backend.execute("cat a.txt b/c.txt")).toMatchObject({ output: "onetwo" });
    await backend.close();
    expect([backend.isRunning, backend.isInitialized]).toEqual([false, false]);
    await expect(
      LocalShellBackend.create({ rootDir: directory, initialFiles: { "/../x": "" } }),
    ).rejects.toThrow("was not stored");
  });

  test.each<[unknown]>([
    [null],
    [7],
    ["x"],
    [{ signal: "no" }],
    [{ signal: {} }],
    [{ timeout: "1" }],
  ])("execute answers whatever its options are: %j", async (options) => {
    const answer = await shell.execute("echo ok", options as never);
    if (options === null) expect(answer).toMatchObject({ output: "ok\n", exitCode: 0 });
    else expect(answer).toMatchObject({ code: "invalid_argument" });
  });

  test("options whose getters throw are refused", async () => {
    const options = {
      get timeout(): number {
        throw new Error("getter");
      },
    };
    expect(await shell.execute("true", options)).toMatchObject({ code: "invalid_argument" });
  });
});

test.each<[unknown]>([
  ["path"],
  [{ root: "/tmp" }],
  [{ rootDir: "" }],
  [{ rootDir: undefined }],
  [{ workingDirectory: "" }],
  [{ workingDirectory: undefined }],
  [{ timeout: Number.NaN }],
  [{ timeout: "1" }],
  [{ maxOutputBytes: -1 }],
  [{ env: "PATH=/" }],
  [{ inheritEnv: "no" }],
])("a local shell refuses the options %j at construction", (options) => {
  expect(() => new LocalShellBackend(options as never)).toThrow(TypeError);
});
