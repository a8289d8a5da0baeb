import type { Volume, VolumeFile } from "@fs/protocol/author";
import { copyFile } from "./file/copy-file.js";
import { createdAtOf } from "./file/creation-times.js";
import { editFile } from "./file/edit-file.js";
import { moveFile } from "./file/move-file.js";
import { moveTree } from "./file/move-tree.js";
import { Pacer } from "./file/pacing.js";
import { putFile } from "./file/put-file.js";
import { readWhole } from "./file/read-bytes.js";
import { readPage } from "./file/read-page.js";
import { removeFile } from "./file/remove-file.js";
import { removeTree } from "./file/remove-tree.js";
import { settleInSlices } from "./file/settle-in-slices.js";
import { TEMPORARY } from "./file/temporary.js";
import { modifiedAtOf, versionOf } from "./file/version.js";
import type { RipgrepChoice } from "./search/find-ripgrep.js";
import { grepTree } from "./search/grep-tree.js";
import { isMissing, openIfThere } from "./tree/open-if-there.js";
import type { OpenFile, Tree } from "./tree/tree.js";
import { listTree } from "./walk/list.js";
import { statEntry } from "./walk/stat-entry.js";

/** What a {@link diskVolume} works with. */
export interface DiskVolumeOptions {
  readonly tree: Tree;
  /** Bytes that a file may have to be held in memory whole. */
  readonly maxFileBytes: number;
  /** Flush every change before it is acknowledged. */
  readonly fsync: boolean;
  readonly ripgrep: RipgrepChoice;
}

function pathOf(path: string): string {
  return TEMPORARY.outside(path);
}

/** The files below a host directory as a volume. */
export function diskVolume(options: DiskVolumeOptions): Volume {
  const { tree, maxFileBytes, fsync, ripgrep } = options;
  const volume: Volume = {
    directories: "real",
    collisions: "refused",

    async get(path, { signal }) {
      const file = openIfThere(tree, pathOf(path));
      if (file === undefined) return undefined;
      return describe(file, await readWhole(file, maxFileBytes, signal));
    },
    async put(path, bytes, condition) {
      return putFile(tree, pathOf(path), () => [bytes], condition, options);
    },
    async remove(path, condition) {
      return removeFile(tree, pathOf(path), condition, fsync);
    },
    list: (directory, query) => listTree(tree, directory, query),
    async stat(path) {
      try {
        return statEntry(tree, pathOf(path));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async readPage(path, { offset, limit, signal }) {
      const file = openIfThere(tree, pathOf(path));
      if (file === undefined) return undefined;
      return readPage(file, { offset, limit, maxBytes: maxFileBytes }, new Pacer(signal));
    },
    async edit(path, edits, condition) {
      return editFile(tree, pathOf(path), edits, condition, options);
    },
    async getMany(paths, call) {
      return settleInSlices(paths, call.signal, (path) => volume.get(path, call));
    },
    async putMany(files, call) {
      return settleInSlices(files, call.signal, async ([path, bytes, condition]) =>
        volume.put(path, bytes, { ...condition, ...call }),
      );
    },
    async removeTree(path, { signal }) {
      return removeTree(tree, pathOf(path), { fsync, pacer: new Pacer(signal) });
    },
    async moveFile(from, to, { overwrite, signal }) {
      return moveFile(tree, pathOf(from), pathOf(to), { overwrite, signal, fsync });
    },
    async moveTree(from, to, { signal }) {
      return moveTree(tree, pathOf(from), pathOf(to), { fsync, pacer: new Pacer(signal) });
    },
    async copyFile(from, to, { overwrite, signal }) {
      return copyFile(tree, pathOf(from), pathOf(to), { overwrite, signal, fsync });
    },
    async grep(query) {
      pathOf(query.root);
      return grepTree(tree, query, ripgrep);
    },
  };
  return volume;
}

function describe({ stats }: OpenFile, bytes: Uint8Array): VolumeFile {
  return {
    bytes,
    version: versionOf(stats),
    modifiedAt: modifiedAtOf(stats),
    createdAt: createdAtOf(stats),
  };
}
