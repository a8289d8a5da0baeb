import { lstatSync } from "node:fs";
import { basenameOf, parentOf, VolumeError, type VolumeEntry } from "@fs/protocol/author";
import { createdAtOf } from "../file/creation-times.js";
import { modifiedAtOf, versionOf } from "../file/version.js";
import { linkRefused, specialRefused } from "../tree/refusals.js";
import type { Tree } from "../tree/tree.js";

/** What stands at a path. Throws `not_found`, `not_directory`, and `permission_denied` for links and special files. */
export function statEntry(tree: Tree, path: string): VolumeEntry {
  const located = tree.locate(path);
  if (located === "/") return { path, kind: "directory" };
  const parent = tree.openDirectory(parentOf(located));
  try {
    const stats = lstatSync(parent.at(basenameOf(located)), {
      bigint: true,
      throwIfNoEntry: false,
    });
    if (stats === undefined) throw new VolumeError("not_found");
    const modifiedAt = modifiedAtOf(stats);
    if (stats.isFile()) {
      const size = Number(stats.size);
      const [version, createdAt] = [versionOf(stats), createdAtOf(stats)];
      return { path, kind: "file", size, modifiedAt, createdAt, version };
    }
    if (stats.isDirectory()) return { path, kind: "directory", modifiedAt };
    throw stats.isSymbolicLink() ? linkRefused(path) : specialRefused(path);
  } finally {
    parent.close();
  }
}
