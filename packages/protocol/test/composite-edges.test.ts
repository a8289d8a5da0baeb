import {
  type BackendProtocolV2,
  CompositeBackend,
  type FileInfo,
  type GlobResult,
  type GrepMatch,
  type GrepResult,
  MemoryBackend,
} from "@fs/protocol";
import { describe, expect, test } from "vitest";

const paths = (result: { files?: FileInfo[] }): string[] | undefined =>
  result.files?.map(({ path }) => path);

/** Answers a search as if it had stopped early, or as if nothing were there. */
class Short extends MemoryBackend {
  override async glob(): Promise<GlobResult> {
    return { files: [{ path: "/found", is_dir: false }], truncated: true };
  }
  override async grep(): Promise<GrepResult> {
    return { matches: [{ path: "/found", line: 1, text: "x" }], truncated: true };
  }
}

/** A backend of another package, which answers what it is given. */
function foreign(answers: Partial<BackendProtocolV2>): BackendProtocolV2 {
  const none = async (): Promise<never> => Promise.reject(new Error("not asked for"));
  return {
    ls: none,
    read: none,
    readRaw: none,
    write: none,
    edit: none,
    grep: none,
    glob: none,
    ...answers,
  };
}

describe("a directory between a mount and one below it", () => {
  test("is the outer mount's", async () => {
    const [main, outer, inner] = [new MemoryBackend(), new MemoryBackend(), new MemoryBackend()];
    const all = new CompositeBackend(main, { "/m": outer, "/m/x/y": inner });
    await all.write("/m/x/z", "1");
    expect((await outer.read("/x/z")).content).toBe("1");
    expect(paths(await all.ls("/m/x"))).toEqual(["/m/x/y/", "/m/x/z"]);
  });

  test("is copied with the mount below it, and without what that hides", async () => {
    const [main, below] = [new MemoryBackend(), new MemoryBackend()];
    const all = new CompositeBackend(main, { "/a/b": below });
    await main.write("/a/b/f", "hidden");
    await main.write("/a/own", "own");
    await below.write("/f", "seen");
    expect(await all.copy("/a", "/z")).toEqual({ path: "/z", files: 2 });
    expect((await main.read("/z/b/f")).content).toBe("seen");
    expect((await all.move("/a", "/y")).code).toBe("permission_denied");
  });

  test("is there although its owner has a file of that name", async () => {
    const main = new MemoryBackend();
    await main.write("/a", "in the way");
    const all = new CompositeBackend(main, { "/a/b": new MemoryBackend() });
    expect(await all.ls("/a")).toEqual({ files: [{ path: "/a/b/", is_dir: true }] });
    expect(await all.ls("/")).toEqual({ files: [{ path: "/a/", is_dir: true }] });
    expect(await all.glob("**", "/a")).toEqual({ files: [] });
  });

  test("keeps the time that its owner names", async () => {
    const files = [{ path: "/a/", is_dir: true, modified_at: "2026-01-01T00:00:00.000Z" }];
    const all = new CompositeBackend(foreign({ ls: async () => ({ files }) }), {
      "/a/b": new MemoryBackend(),
    });
    expect(await all.ls("/")).toEqual({ files });
  });
});

describe("a search of several mounts", () => {
  test.each([
    ["first", new Short(), new MemoryBackend()],
    ["last", new MemoryBackend(), new Short()],
  ])("is truncated where one of them is, the %s", async (_, one, other) => {
    for (const routes of [
      { "/1": one, "/2": other },
      { "/2": other, "/1": one },
    ]) {
      const all = new CompositeBackend(new MemoryBackend(), routes);
      expect(await all.glob("**")).toMatchObject({ truncated: true });
      expect(await all.grep("x")).toMatchObject({ truncated: true });
    }
  });

  test("fails where a mount below is missing, and where nothing answers", async () => {
    const gone = foreign({
      glob: async () => ({ error: "Not found.", code: "not_found" }),
      grep: async () => ({ error: "Not found.", code: "not_found" }),
    });
    const all = new CompositeBackend(new MemoryBackend(), { "/m": gone });
    expect((await all.glob("**")).code).toBe("not_found");
    expect((await all.grep("x")).code).toBe("not_found");
    const partial = new CompositeBackend(gone, { "/m": new MemoryBackend() }, { partial: true });
    expect((await partial.glob("**", "/other")).code).toBe("not_found");
  });

  test("asks the owner whether its root is there, whatever the filter leaves", async () => {
    const all = new CompositeBackend(new MemoryBackend(), { "/m": new MemoryBackend() });
    expect((await all.grep("x", "/none", "/m/*.md")).code).toBe("not_found");
    expect((await all.grep("x", "/m/none", "/m/*.md")).code).toBe("not_found");
  });

  test("orders and counts the hits of a backend that does neither", async () => {
    const hits: GrepMatch[] = [
      { path: "/f", line: 2, text: "x" },
      { path: "/hidden/f", line: 1, text: "x" },
      { path: "/f", line: 1, text: "x" },
    ];
    const asked: unknown[] = [];
    const other = foreign({
      grep: async (_pattern, _path, filter, cap) => {
        asked.push(filter);
        return { matches: hits.slice(0, cap ?? Infinity) };
      },
    });
    const all = new CompositeBackend(other, { "/hidden": new MemoryBackend() });
    const lines = (found: GrepResult): unknown => found.matches?.map(({ line }) => line);
    expect(lines(await all.grep("x", "/", null, 2))).toEqual([1, 2]);
    const capped = await all.grep("x", "/", null, 1);
    expect([lines(capped), capped.truncated]).toEqual([[1], true]);
    // A filter with a slash means something else to each of them.
    expect(lines(await all.grep("x", "/", "./f"))).toEqual([1, 2]);
    expect(asked.at(-1) ?? undefined).toBeUndefined();
  });
});

test("a search that its mount ends early is asked once more at most, and stays truncated", async () => {
  let asked = 0;
  class Capped extends MemoryBackend {
    override async grep(): Promise<GrepResult> {
      if (++asked > 9) throw new Error("asked without end");
      return { matches: [{ path: "/hidden/f", line: 1, text: "x" }], truncated: true };
    }
  }
  const all = new CompositeBackend(new Capped(), { "/hidden": new MemoryBackend() });
  expect(await all.grep("x", "/", null, 5)).toEqual({ matches: [], truncated: true });
  expect(asked).toBeLessThanOrEqual(2);
});

test("a batch holds the bytes of its call, whatever becomes of the buffer", async () => {
  let stored: unknown;
  const slow = foreign({
    uploadFiles: async (files) => {
      await new Promise((resolve) => setImmediate(resolve));
      stored = files.map(([, bytes]) => [...bytes]);
      return files.map(([path]) => ({ path, error: null }));
    },
  });
  const buffer = new Uint8Array([1, 2]);
  const upload = new CompositeBackend(slow, {}).uploadFiles([["/f", buffer]]);
  buffer.fill(9);
  await upload;
  expect(stored).toEqual([[1, 2]]);
});

describe("a page of a listing behind a route", () => {
  test("goes on after any path, be it of the mount or not", async () => {
    const mount = new MemoryBackend();
    for (const name of ["a", "b", "c"]) await mount.write(`/${name}`, name);
    const all = new CompositeBackend(new MemoryBackend(), { "/mnt": mount });
    expect(await all.ls("/mnt", { limit: 1, after: "/mnt/a" })).toMatchObject({
      files: [{ path: "/mnt/b" }],
      truncated: true,
      nextAfter: "/mnt/b",
    });
    expect(paths(await all.ls("/mnt", { limit: 9, after: "/zzz" }))).toEqual([]);
    expect(paths(await all.ls("/mnt", { limit: 9, after: "/abcdefgh" }))).toHaveLength(3);
  });

  test("is cut here where the backend cannot page", async () => {
    const files = ["/c", "/a", "/b"].map((path) => ({ path, is_dir: false }));
    const other = Object.assign(new MemoryBackend(), {
      ls: async (_path: string, options?: object) => ({
        files: "limit" in (options ?? {}) ? [] : files,
      }),
    });
    Object.defineProperty(other, "features", { value: [] });
    const all = new CompositeBackend(new MemoryBackend(), { "/m": other });
    expect(await all.ls("/m", { limit: 1 })).toMatchObject({
      files: [{ path: "/m/a" }],
      nextAfter: "/m/a",
    });
  });
});

test("a batch for a mount that takes none is unsupported, one that goes unanswered is unavailable", async () => {
  const silent = foreign({ uploadFiles: async () => [], downloadFiles: async () => [] });
  const all = new CompositeBackend(foreign({}), { "/m": silent });
  const bytes = new Uint8Array(1);
  const stored = await all.uploadFiles([
    ["/m/f", bytes],
    ["/f", bytes],
  ]);
  expect(stored.map(({ path, code }) => [path, code])).toEqual([
    ["/m/f", "unavailable"],
    ["/f", "unsupported"],
  ]);
  expect((await all.downloadFiles(["/f"]))[0]).toMatchObject({ code: "unsupported" });
});

test("a path is said back as it was written, whatever is in it", async () => {
  const all = new CompositeBackend(new MemoryBackend(), {});
  await all.write("/$&.txt", "a");
  const refused = await all.edit("//$&.txt", "b", "c");
  expect(refused.error).toContain("not found in '//$&.txt'.");
});

test("a file behind a route is found as base of an absolute pattern that would reach nothing below it", async () => {
  const mount = new MemoryBackend();
  await mount.write("/src/a.ts", "x");
  const all = new CompositeBackend(new MemoryBackend(), { "/mnt": mount });
  const file = "/mnt/src/a.ts";
  for (const pattern of ["/mnt/**/src/*", "/**/src/*", "/mnt/src/*"]) {
    expect(paths(await all.glob(pattern, file))).toEqual([file]);
    expect((await all.grep("x", file, pattern)).matches).toHaveLength(1);
  }
  expect(paths(await all.glob("/mnt/**/none/*", file))).toEqual([]);
});
