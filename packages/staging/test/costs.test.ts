import { MemoryBackend } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { describe, expect, test } from "vitest";
import { callCounter } from "./call-counter.js";
import { baseWith } from "./trees.js";

describe("costs", () => {
  test("one call of the base for a read and a listing, and one more per directory with removals (B6)", async () => {
    const base = await baseWith({ "/a": "1", "/x/b": "1", "/x/c": "1", "/y/d": "1", "/z/e": "1" });
    const counted = callCounter(base);
    const staged = new StagingBackend(counted.backend);
    expect(await counted.during(() => staged.read("/a"))).toEqual({ read: 1 });
    expect(await counted.during(() => staged.ls("/"))).toEqual({ ls: 1 });
    await staged.delete("/x/b");
    await staged.delete("/y/d");
    expect(await counted.during(() => staged.ls("/"))).toEqual({ ls: 1, glob: 2 });
    expect((await staged.ls("/")).files?.map(({ path }) => path)).toEqual(["/a", "/x/", "/z/"]);
  });

  test("two calls of the upper layer for a read, whatever the depth", async () => {
    const counted = callCounter(new MemoryBackend());
    const path = `${"/d".repeat(200)}/a`;
    const staged = new StagingBackend(await baseWith({ [path]: "1" }), { upper: counted.backend });
    expect(await counted.during(() => staged.read(path))).toEqual({ downloadFiles: 1, glob: 1 });
  });

  test("a new file is looked for, and looked at again once it is stored, in each layer (W2)", async () => {
    const base = callCounter(await baseWith({ "/d/a": "1" }));
    const upper = callCounter(new MemoryBackend());
    const staged = new StagingBackend(base.backend, { upper: upper.backend });
    let ofUpper = {};
    const ofBase = await base.during(async () => {
      ofUpper = await upper.during(() => staged.write("/d/deep/down/b", "1"));
    });
    expect(ofBase).toEqual({ readRaw: 1, downloadFiles: 2 });
    expect(ofUpper).toEqual({ downloadFiles: 3, glob: 5, uploadFiles: 2 });
  });

  test("the first change of a new file looks once more at what is staged around it (B9), and the next does not", async () => {
    const counted = callCounter(new MemoryBackend());
    const staged = new StagingBackend(new MemoryBackend(), { upper: counted.backend });
    await staged.write("/d/a", "1");
    const change = (old: string, to: string): Promise<Record<string, number>> =>
      counted.during(() => staged.edit("/d/a", old, to));
    const { uploadFiles, glob = 0, downloadFiles = 0 } = await change("1", "2");
    const next = await change("2", "3");
    expect(next).toEqual({ downloadFiles: 3, glob: 2, uploadFiles: 2 });
    // What is at and above it; what is below it, and the removed directories.
    expect({ uploadFiles, glob, downloadFiles }).toEqual({ ...next, downloadFiles: 4, glob: 4 });
  });

  test("one call for a capped search, and more only where hidden hits use up the cap (B7)", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`/f${n + 10}`, "hit\n"]),
    );
    const counted = callCounter(await baseWith(files));
    const staged = new StagingBackend(counted.backend);
    const grep = (): Promise<unknown> => staged.grep("hit", "/", null, 5);
    expect(await counted.during(grep)).toEqual({ grep: 1 });
    for (let n = 10; n < 20; n++) await staged.delete(`/f${n}`);
    expect(await counted.during(grep)).toEqual({ grep: 2 });
    const found = await staged.grep("hit", "/", null, 5);
    expect(found.matches?.map(({ path }) => path)).toEqual([
      "/f20",
      "/f21",
      "/f22",
      "/f23",
      "/f24",
    ]);
    expect(found.truncated).toBe(true);
  });

  test("one conditional call per file for a commit", async () => {
    const counted = callCounter(await baseWith({ "/a": "1", "/b": "1" }));
    const staged = new StagingBackend(counted.backend);
    await staged.edit("/a", "1", "2");
    await staged.write("/c", "other");
    await staged.delete("/b");
    expect(await counted.during(() => staged.commit())).toEqual({ uploadFiles: 2, delete: 1 });
  });
});

describe("many files", () => {
  test("that are new are staged in a few calls, and are read with one for all entries", async () => {
    const counted = callCounter(new MemoryBackend());
    const staged = new StagingBackend(new MemoryBackend(), { upper: counted.backend });
    const files = Array.from({ length: 100 }, (_, n): [string, Uint8Array] => [
      `/${n}`,
      new TextEncoder().encode(`content ${n}`),
    ]);
    expect(await counted.during(() => staged.uploadFiles(files))).toEqual({
      // The contents, then the entries.
      uploadFiles: 2,
      // Entries and removed directories for what is where, before and after; the latter once more for the entries to replace.
      glob: 5,
      downloadFiles: 1,
    });
    const read = await staged.downloadFiles(files.map(([path]) => path));
    expect(read.map(({ content }) => content)).toEqual(files.map(([, content]) => content));
    expect((await staged.commit()).complete).toBe(true);
  });

  test("that collide with one another, or with files and directories of either layer, are refused each", async () => {
    const base = new MemoryBackend();
    for (const path of ["/file", "/dir/a", "/emptied/a", "/gone"]) await base.write(path, "1");
    const counted = callCounter(base);
    const staged = new StagingBackend(counted.backend);
    await staged.write("/staged/a", "1");
    await staged.write("/own", "1");
    await staged.delete("/emptied/a");
    await staged.delete("/gone");
    const paths = ["/file/x", "/dir", "/staged", "/own/x", "/emptied", "/gone/x", "/new", "/new/x"];
    const files = paths.map((path): [string, Uint8Array] => [path, new Uint8Array([65])]);
    const codes: unknown[] = [];
    const calls = await counted.during(async () => {
      for (const { code } of await staged.uploadFiles(files)) codes.push(code);
    });
    expect(codes).toEqual([
      "not_directory",
      "is_directory",
      "is_directory",
      "not_directory",
      undefined,
      undefined,
      undefined,
      "not_directory",
    ]);
    // A look at all of them, one at the directory that holds a removal, and both once more at what is stored; one for what is to be kept
    // of the base.
    expect(calls).toEqual({ downloadFiles: 3, glob: 2 });
  });

  test("are each judged on their condition, whichever layer they are in", async () => {
    const base = new MemoryBackend();
    await base.write("/base", "1");
    await base.write("/gone", "1");
    const staged = new StagingBackend(base);
    await staged.delete("/gone");
    const [inBase] = await staged.downloadFiles(["/base"]);
    const ofBase = inBase?.version ?? "";
    const { version: ofStaged = "" } = await staged.write("/staged", "1");
    const two = new TextEncoder().encode("2");
    const upload = async (condition: (path: string) => object): Promise<unknown> => {
      const paths = ["/base", "/gone", "/new", "/staged"];
      const answers = await staged.uploadFiles(
        paths.map((path): [string, Uint8Array, object] => [path, two, condition(path)]),
      );
      return answers.map(({ code }) => code);
    };
    expect(await upload(() => ({ ifVersion: "s:other" }))).toEqual(Array(4).fill("conflict"));
    expect(await upload(() => ({ ifAbsent: true }))).toEqual([
      "already_exists",
      undefined,
      undefined,
      "already_exists",
    ]);
    expect(await upload((path) => ({ ifVersion: path === "/base" ? ofBase : ofStaged }))).toEqual([
      undefined,
      "conflict",
      "conflict",
      undefined,
    ]);
    expect((await base.read("/base")).content).toBe("1");
  });
});
