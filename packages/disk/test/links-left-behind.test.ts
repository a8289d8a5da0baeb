import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CompositeBackend, type Filesystem, MemoryBackend, withPolicy } from "@fs/protocol";
import { FilesystemBackend } from "@fs/disk";
import { temporaryRoot } from "./temporary-root.js";

function withLink(): [FilesystemBackend, root: string] {
  const root = temporaryRoot();
  mkdirSync(join(root, "a/below"), { recursive: true });
  writeFileSync(join(root, "a/below/f"), "one");
  symlinkSync("below/f", join(root, "a/l"));
  return [new FilesystemBackend({ rootDir: root }), root];
}

describe.each<readonly [string, (files: FilesystemBackend) => Filesystem, to: string]>([
  ["through a wrapper", (files) => withPolicy(files, {}), "/b"],
  [
    "between mounts",
    (files) => new CompositeBackend(files, { "/m/": new MemoryBackend() }),
    "/m/b",
  ],
])("a directory of which the files are moved one by one, %s", (_, over, to) => {
  test("stays with a link that was not moved", async () => {
    const [files, root] = withLink();
    expect(await over(files).move?.("/a", to)).toEqual({ path: to, files: 1 });
    expect(lstatSync(join(root, "a/l")).isSymbolicLink()).toBe(true);
    expect(existsSync(join(root, "a/below"))).toBe(false);
  });

  test("goes with its links when it is deleted", async () => {
    const [files, root] = withLink();
    expect(await over(files).delete?.("/a")).toEqual({ path: "/a" });
    expect(existsSync(join(root, "a"))).toBe(false);
  });
});
