import {
  type BackendProtocolV2,
  CompositeBackend,
  MemoryBackend,
  withPermissions,
} from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { foreignBackend } from "./foreign-backend.js";

type Stat = NonNullable<BackendProtocolV2["stat"]>;

function between(source: BackendProtocolV2, target: BackendProtocolV2): CompositeBackend {
  return new CompositeBackend(new MemoryBackend(), { "/a/": source, "/b/": target });
}

const refusing =
  (code: "not_found" | "not_directory" | "unsupported"): Stat =>
  async () => ({ error: "It is not there.", code });

describe("a source of which a foreign backend says that nothing is there", () => {
  test.each([
    ["stat says not_found", refusing("not_found")],
    ["stat says not_directory", refusing("not_directory")],
    ["stat says unsupported, and the listing that its parent is a file", refusing("unsupported")],
    ["it has no stat, and the listing says that its parent is a file", undefined],
  ])("is not found (%s)", async (_, stat) => {
    const files = new MemoryBackend();
    await files.write("/f", "a file");
    const target = new MemoryBackend();
    const all = between(foreignBackend(files, stat === undefined ? {} : { stat }), target);
    for (const method of ["move", "copy"] as const)
      expect(await all[method]("/a/f/below", "/b/f")).toEqual({
        error: "'/a/f/below' was not found.",
        code: "not_found",
      });
    expect((await target.glob("**")).files).toEqual([]);
  });

  test("is not taken for missing where the backend did not say so", async () => {
    const files = new MemoryBackend();
    await files.write("/f", "a file");
    const stat: Stat = async () => ({ error: "Try again later.", code: "unavailable" });
    const all = between(foreignBackend(files, { stat }), new MemoryBackend());
    expect((await all.move("/a/f", "/b/f")).code).toBe("unavailable");
    const ls: BackendProtocolV2["ls"] = async () => ({
      error: "Try again later.",
      code: "unavailable",
    });
    const unlisted = between(foreignBackend(files, { ls }), new MemoryBackend());
    expect((await unlisted.move("/a/f", "/b/f")).code).toBe("unavailable");
    expect((await files.read("/f")).content).toBe("a file");
  });
});

describe("a destination without conditions", () => {
  test("is reported file by file, where one of several is already there and another is refused", async () => {
    const [source, files] = [new MemoryBackend(), new MemoryBackend({ maxFileBytes: 10 })];
    await source.write("/d/1", "new 1");
    await source.write("/d/2", "new 2");
    await source.write("/d/3", "far too large");
    await files.write("/d/1", "old 1");
    const all = between(source, foreignBackend(files));
    const copied = await all.copy("/a/d", "/b/d", { overwrite: true });
    expect(copied).toEqual({
      error: "'/b/d/3' is larger than this backend accepts.",
      code: "too_large",
    });
    expect((await files.read("/d/1")).content).toBe("old 1");
    expect((await files.ls("/d")).files).toHaveLength(1);
  });

  test("answers each file with the version of that file", async () => {
    const [source, files] = [new MemoryBackend(), new MemoryBackend()];
    await source.write("/d/1", "one");
    await source.write("/d/2", "two");
    // What is stored is changed by others at once, so that only its own version shows whose it is.
    const target = foreignBackend(files, {
      features: ["versions"],
      uploadFiles: async (given) => {
        const answers = await files.uploadFiles([...given]);
        if (given.length > 1) await files.edit("/d/2", "two", "theirs");
        return answers;
      },
      downloadFiles: async (paths) => files.downloadFiles([...paths]),
    });
    expect(await between(source, target).copy("/a/d", "/b/d")).toEqual({ path: "/b/d", files: 2 });
    expect((await files.read("/d/2")).content).toBe("theirs");
  });
});

describe("the files below a directory of a foreign backend", () => {
  test("are none where a file stands, though a route leads below it", async () => {
    const [outer, inner] = [new MemoryBackend(), new MemoryBackend()];
    await outer.write("/d", "hidden by the route");
    await inner.write("/x", "one");
    const all = new CompositeBackend(foreignBackend(outer), { "/d/m/": inner });
    expect(await all.copy("/d", "/e")).toEqual({ path: "/e", files: 1 });
    expect((await outer.read("/e/m/x")).content).toBe("one");
  });

  test.each([
    ["/d/e", "not_directory"],
    ["/d/e", "permission_denied"],
    ["/d", "permission_denied"],
  ] as const)("are not known where '%s' answers %s", async (directory, code) => {
    const files = new MemoryBackend();
    await files.write("/d/1", "one");
    await files.write("/d/e/2", "two");
    const source = foreignBackend(files, {
      ls: async (path) =>
        path === directory ? { error: "It cannot be listed.", code } : files.ls(path),
    });
    const target = new MemoryBackend();
    const moved = await between(source, target).move("/a/d", "/b/d");
    expect(moved).toEqual({ error: "It cannot be listed.", code });
    expect((await target.glob("**")).files).toEqual([]);
    expect((await files.glob("**")).files).toHaveLength(2);
  });

  test("are not known where the listing holds a name that no path has", async () => {
    const files = new MemoryBackend();
    await files.write("/d/1", "one");
    const source = foreignBackend(files, {
      ls: async (path) => {
        const listed = await files.ls(path);
        const strange = { path: "/d/2\u0000", is_dir: false, size: 3 };
        return listed.error === undefined ? { files: [...listed.files, strange] } : listed;
      },
    });
    const target = new MemoryBackend();
    const moved = await between(source, target).move("/a/d", "/b/d");
    expect(moved.code).toBe("unavailable");
    expect(moved.error).toContain("could not be listed completely");
    expect((await target.glob("**")).files).toEqual([]);
    expect((await files.glob("**")).files).toHaveLength(1);
  });

  test("are the others where one of its directories has vanished", async () => {
    const files = new MemoryBackend();
    await files.write("/d/1", "one");
    await files.write("/d/e/2", "two");
    const source = foreignBackend(files, {
      ls: async (path) => {
        if (path === "/d/e") await files.delete("/d/e");
        return files.ls(path);
      },
    });
    const moved = await between(source, new MemoryBackend()).move("/a/d", "/b/d");
    expect(moved).toEqual({ path: "/b/d", files: 1 });
  });
});

test("the root of a foreign backend stands where a directory is moved to it", async () => {
  const files = new MemoryBackend();
  await files.write("/d/1", "one");
  const move = async (): Promise<never> => {
    throw new Error("A directory is moved file by file.");
  };
  const guarded = withPermissions(foreignBackend(files, { move }), [
    { operations: ["write"], paths: ["/secret/**"], mode: "deny" },
  ]);
  expect((await guarded.move?.("/d", "/"))?.code).toBe("already_exists");
  expect((await files.glob("**")).files?.map(({ path }) => path)).toEqual(["/d/1"]);
  expect(await guarded.move?.("/d", "/", { overwrite: true })).toEqual({ path: "/", files: 1 });
  expect((await files.glob("**")).files?.map(({ path }) => path)).toEqual(["/1"]);
});
