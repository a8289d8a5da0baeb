import fs, { existsSync, readlinkSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { FilesystemBackend, type FilesystemBackendOptions } from "@fs/disk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryRoot } from "./temporary-root.js";

type Containment = NonNullable<FilesystemBackendOptions["containment"]>;

const flushed: string[] = [];
const { fsyncSync } = fs;
let failing = false;

beforeEach(() => {
  flushed.length = 0;
  failing = false;
  fs.fsyncSync = (fd) => {
    if (failing) throw Object.assign(new Error("EIO"), { code: "EIO" });
    flushed.push(readlinkSync(`/proc/self/fd/${fd}`));
    fsyncSync(fd);
  };
  syncBuiltinESMExports();
});
afterEach(() => {
  fs.fsyncSync = fsyncSync;
  syncBuiltinESMExports();
});

describe.runIf(process.platform === "linux").each<Containment>(["race-free", "best-effort"])(
  "with fsync, a %s backend",
  (containment) => {
    const backendIn = (rootDir: string, fsync = true): FilesystemBackend =>
      new FilesystemBackend({ rootDir, containment, fsync });

    it("flushes the entry of each directory that a change makes", async () => {
      const root = temporaryRoot();
      const files = backendIn(root);
      expect((await files.write("/a/b/one.txt", "1")).error).toBeUndefined();
      expect(flushed).toEqual([root, join(root, "a")]);
      expect((await files.write("/a/b/two.txt", "2")).error).toBeUndefined();
      expect(flushed).toHaveLength(2);
      expect((await files.copy("/a/b/one.txt", "/c/one.txt")).error).toBeUndefined();
      expect((await files.move("/a/b", "/d/b")).error).toBeUndefined();
      expect((await files.move("/d/b/two.txt", "/a/e/two.txt")).error).toBeUndefined();
      expect(flushed.slice(2)).toEqual([root, root, join(root, "a")]);
    });

    it("flushes those above a root that was missing", async () => {
      const above = temporaryRoot();
      const files = backendIn(join(above, "x/y"));
      expect((await files.write("/one.txt", "1")).error).toBeUndefined();
      expect(flushed.toSorted()).toEqual([above, join(above, "x")]);
    });

    it("stores nothing in a directory whose entry may be lost", async () => {
      const above = temporaryRoot();
      const files = backendIn(join(above, "x/y"));
      failing = true;
      expect(await files.write("/a/one.txt", "1")).toMatchObject({ code: "unavailable" });
      expect(existsSync(join(above, "x"))).toBe(false);
      failing = false;
      expect((await files.write("/one.txt", "1")).error).toBeUndefined();
      failing = true;
      expect(await files.write("/a/one.txt", "1")).toMatchObject({ code: "unavailable" });
      failing = false;
      flushed.length = 0;
      expect((await files.write("/a/one.txt", "1")).error).toBeUndefined();
      // What stayed of the failure would be taken for something that is on the disk, and not be flushed again.
      expect(flushed).toEqual([join(above, "x/y")]);
    });

    it("flushes none without it", async () => {
      const files = backendIn(temporaryRoot(), false);
      expect((await files.write("/a/b/one.txt", "1")).error).toBeUndefined();
      expect(flushed).toEqual([]);
    });
  },
);
