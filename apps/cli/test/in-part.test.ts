import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Filesystem, interceptBackend, MemoryBackend } from "@fs/protocol";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { run as download } from "../src/commands/download.js";
import { run as edit } from "../src/commands/edit.js";
import { run as glob } from "../src/commands/glob.js";
import { run as grep } from "../src/commands/grep.js";
import { run as ls } from "../src/commands/ls.js";
import { run as tree } from "../src/commands/tree.js";
import { run as upload } from "../src/commands/upload.js";
import type { Context, Run } from "../src/context.js";
import { EXIT } from "../src/exit-codes.js";
import { Output } from "../src/output.js";

const folder = mkdtempSync(join(tmpdir(), "fs-cli-part-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
  return () => vi.restoreAllMocks();
});

function contextOver(files: Filesystem, signal: AbortSignal): Context {
  return { output: new Output(false), signal, files: async () => files } as unknown as Context;
}

async function ended(
  command: Run,
  files: Filesystem,
  args: readonly string[],
  options: Parameters<Run>[2] = {},
  signal = new AbortController().signal,
): Promise<number> {
  return command(contextOver(files, signal), args, options);
}

/** A backend of which a part cannot be listed. */
async function withUnreadable(): Promise<Filesystem> {
  const memory = new MemoryBackend();
  await memory.write("/d/a.txt", "a\n");
  return interceptBackend(memory, async ({ method }, proceed) => {
    const result = await proceed();
    const isListing = ["ls", "glob", "grep"].includes(method);
    const warnings = ["'/d/secret/' is left out."];
    return isListing ? Object.assign({}, result, { warnings }) : result;
  }) as Filesystem;
}

describe("what an answer leaves out", () => {
  it.each([
    ["ls", ls, ["/d"]],
    ["glob", glob, ["**", "/d"]],
    ["grep", grep, ["a", "/d"]],
    ["tree", tree, ["/d"]],
    ["download", download, ["/d", "-"]],
  ] as const)("is said by %s, which ends as done in part", async (_, command, args) => {
    expect(await ended(command, await withUnreadable(), args)).toBe(EXIT.partial);
    expect(said.join("")).toContain("'/d/secret/' is left out.");
  });

  it("is said of a directory below by tree", async () => {
    expect(await ended(tree, await withUnreadable(), ["/"])).toBe(EXIT.partial);
  });
});

describe("an upload", () => {
  it("that is interrupted between two batches is not done", async () => {
    for (let index = 0; index < 20; index++) writeFileSync(join(folder, `${index}.txt`), "x");
    const memory = new MemoryBackend();
    const interrupted = new AbortController();
    const files = interceptBackend(memory, async ({ method }, proceed) => {
      const result = await proceed();
      // The change under way answers for itself.
      if (method === "uploadFiles") interrupted.abort();
      return result;
    }) as Filesystem;
    const options = { to: "/up" };
    const pattern = `${folder}/*.txt`;
    expect(await ended(upload, files, [pattern], options, interrupted.signal)).toBe(EXIT.partial);
    const { files: stored = [] } = await memory.glob("**");
    expect(stored).toHaveLength(16);
    expect(said.filter((line) => line.includes("aborted"))).toHaveLength(4);
  });

  it("goes on after a local file that cannot be read", async () => {
    const names = ["1.txt", "2.txt"].map((name) => join(folder, name));
    for (const name of names) writeFileSync(name, name);
    const memory = new MemoryBackend();
    const files = interceptBackend(memory, async (_call, proceed) => proceed()) as Filesystem;
    const context = contextOver(files, new AbortController().signal);
    // It goes after it was found.
    const late: Context = {
      ...context,
      files: async () => {
        rmSync(names[0] ?? "");
        return files;
      },
    };
    expect(await upload(late, names, { to: "/up" })).toBe(EXIT.partial);
    expect(said.join("")).toContain("1.txt' cannot be read");
    expect((await memory.glob("**")).files).toHaveLength(1);
  });
});

it("an edit that is only tried is refused for its version, as the real one", async () => {
  const memory = new MemoryBackend();
  const { version = "" } = await memory.write("/f", "one");
  const options = { dryRun: true, ifVersion: version };
  expect(await ended(edit, memory, ["/f", "one", "two"], options)).toBe(EXIT.ok);
  await memory.edit("/f", "one", "one!");
  expect(await ended(edit, memory, ["/f", "one", "two"], options)).toBe(EXIT.conflict);
});
