import { CompositeBackend, type Filesystem, MemoryBackend, withPolicy } from "@fs/protocol";
import { describe, expect, test } from "vitest";

/** Every file with its content. */
async function contents(files: MemoryBackend): Promise<Record<string, unknown>> {
  const paths = (await files.glob("**")).files?.map(({ path }) => path) ?? [];
  const read = paths.map(async (path) => [path, (await files.read(path)).content] as const);
  return Object.fromEntries(await Promise.all(read));
}

const mounted = (files: MemoryBackend): CompositeBackend =>
  new CompositeBackend(new MemoryBackend(), { "/m/": files, "/n/": files });

const ways: ReadonlyArray<
  readonly [string, (files: MemoryBackend) => Filesystem, from: string, to: string]
> = [
  ["in a volume", (files) => files, "/a/b", "/a"],
  ["through a wrapper", (files) => withPolicy(files, {}), "/a/b", "/a"],
  ["in a mount", mounted, "/m/a/b", "/m/a"],
  ["by two mounts of one backend", mounted, "/m/a/b", "/n/a"],
];

describe.each(ways)("a directory put over the one that holds it, %s", (_, over, from, to) => {
  const tree = async (more: number): Promise<MemoryBackend> => {
    const files = new MemoryBackend();
    await files.write("/a/b/x", "X");
    for (let n = 0; n < more; n++) await files.write(`/a/b/c/${String(n).padStart(3, "0")}`, "f");
    return files;
  };

  test.each([
    ["move", 0],
    ["copy", 0],
    ["move", 250],
    ["copy", 250],
  ] as const)(
    "is refused where its files would replace each other (%s, %i more)",
    async (kind, more) => {
      const files = await tree(more);
      await files.write("/a/b/b/x", "Y");
      const before = await contents(files);
      const answer = await over(files)[kind]?.(from, to, { overwrite: true });
      expect(answer).toEqual({
        error:
          "Files of the source would be put over other files of the source. Move it elsewhere first.",
        code: "invalid_argument",
      });
      expect(await contents(files)).toEqual(before);
    },
  );

  test("is put there where none does", async () => {
    const files = await tree(0);
    await files.write("/a/x", "old");
    expect(await over(files).move?.(from, to, { overwrite: true })).toEqual({ path: to, files: 1 });
    expect(await contents(files)).toEqual({ "/a/x": "X" });
  });
});

describe("between two mounts of one backend", () => {
  test("a directory is not put below itself", async () => {
    const files = new MemoryBackend();
    await files.write("/d/f", "one");
    expect(await mounted(files).move("/m/d", "/n/d/sub")).toEqual({
      error: "'/m/d' cannot be put at or below itself.",
      code: "invalid_argument",
    });
    expect(await contents(files)).toEqual({ "/d/f": "one" });
  });

  test("a failure names the paths of the caller", async () => {
    const files = new MemoryBackend();
    await files.write("/f", "one");
    await files.write("/g", "two");
    const all = mounted(files);
    expect((await all.move("/m/f", "/n/g")).error).toContain("'/n/g'");
    expect((await all.move("/m/none", "/n/other")).error).toContain("'/m/none'");
    expect(await all.move("/m/f", "/n/h")).toEqual({ path: "/n/h", files: 1 });
  });
});
