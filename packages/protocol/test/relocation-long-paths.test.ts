import { CompositeBackend, type Filesystem, MemoryBackend, withPolicy } from "@fs/protocol";
import { describe, expect, test } from "vitest";

/** With `/a/` before it and `/f` behind it still a path, and with 200 more bytes no longer. */
const DEEP = Array.from({ length: 16 }, () => "d".repeat(250)).join("/");
const LONG = "b".repeat(200);

describe.each<readonly [string, (files: MemoryBackend) => Filesystem, prefix: string]>([
  ["in a volume", (files) => files, ""],
  ["through a wrapper", (files) => withPolicy(files, {}), ""],
  [
    "between mounts",
    (files) => new CompositeBackend(files, { "/mount/": new MemoryBackend() }),
    "/mount",
  ],
])("a directory whose files would get paths that are too long, %s", (_, over, prefix) => {
  test.each(["move", "copy"] as const)("stays where it is (%s)", async (kind) => {
    const files = new MemoryBackend();
    await files.write("/a/e", "short");
    await files.write(`/a/${DEEP}/f`, "long");
    const all = over(files);
    expect(await all[kind]?.("/a", `${prefix}/${LONG}`)).toEqual({
      error:
        "A file of the source would get a path that is not valid, such as one of more than 4096 bytes.",
      code: "invalid_path",
    });
    expect((await all.glob("**")).files).toHaveLength(2);
    expect((await files.read(`/a/${DEEP}/f`)).content).toBe("long");
    expect(await all[kind]?.("/a", `${prefix}/b`)).toMatchObject({ files: 2 });
  });
});
