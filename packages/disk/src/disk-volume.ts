import type {
  EditCondition,
  GrepQuery,
  GrepStream,
  ListQuery,
  PutCondition,
  RemoveCondition,
  Replacement,
  Volume,
  VolumeCall,
  VolumeEdit,
  VolumeEntry,
  VolumeFile,
  VolumePage,
  VolumePut,
  VolumeUpload,
} from "@fs/protocol/author";
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
import { modifiedAtOf, versionOf } from "./file/version.js";
import type { RipgrepChoice } from "./search/find-ripgrep.js";
import { grepTree } from "./search/grep-tree.js";
import { isMissing, openIfThere } from "./tree/open-if-there.js";
import type { OpenFile, Tree } from "./tree/tree.js";
import { listTree } from "./walk/list.js";
import { statEntry } from "./walk/stat-entry.js";

/** What a {@link DiskVolume} works with. */
export interface DiskVolumeOptions {
  readonly tree: Tree;
  /** Bytes that a file may have to be held in memory whole. */
  readonly maxFileBytes: number;
  /** Flush every change before it is acknowledged. */
  readonly fsync: boolean;
  readonly ripgrep: RipgrepChoice;
}

/** The files below a host directory as a volume. */
export class DiskVolume implements Volume {
  readonly directories = "real";
  readonly collisions = "refused";
  readonly #tree: Tree;
  readonly #options: DiskVolumeOptions;

  constructor(options: DiskVolumeOptions) {
    this.#tree = options.tree;
    this.#options = options;
  }

  async get(path: string, { signal }: VolumeCall): Promise<VolumeFile | undefined> {
    const file = openIfThere(this.#tree, path);
    if (file === undefined) return undefined;
    return describe(file, await readWhole(file, this.#options.maxFileBytes, signal));
  }

  async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    return putFile(this.#tree, path, () => [bytes], condition, this.#options);
  }

  async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    return removeFile(this.#tree, path, condition);
  }

  list(directory: string, query: ListQuery): AsyncIterable<VolumeEntry> {
    return listTree(this.#tree, directory, query);
  }

  async stat(path: string): Promise<VolumeEntry | undefined> {
    try {
      return statEntry(this.#tree, path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async readPage(
    path: string,
    { offset, limit, signal }: { offset: number; limit: number } & VolumeCall,
  ): Promise<VolumePage | undefined> {
    const file = openIfThere(this.#tree, path);
    if (file === undefined) return undefined;
    const range = { offset, limit, maxBytes: this.#options.maxFileBytes };
    return readPage(file, range, new Pacer(signal));
  }

  async edit(
    path: string,
    edits: readonly Replacement[],
    condition: EditCondition,
  ): Promise<VolumeEdit | undefined> {
    return editFile(this.#tree, path, edits, condition, this.#options);
  }

  async getMany(
    paths: readonly string[],
    call: VolumeCall,
  ): Promise<Array<PromiseSettledResult<VolumeFile | undefined>>> {
    return settleInSlices(paths, call.signal, (path) => this.get(path, call));
  }

  async putMany(
    files: readonly VolumeUpload[],
    call: VolumeCall,
  ): Promise<Array<PromiseSettledResult<VolumePut>>> {
    return settleInSlices(files, call.signal, ([path, bytes, condition]) =>
      this.put(path, bytes, { ...condition, signal: call.signal }),
    );
  }

  async removeTree(path: string, { signal }: VolumeCall): Promise<number> {
    return removeTree(this.#tree, path, new Pacer(signal));
  }

  async moveFile(
    from: string,
    to: string,
    { overwrite, signal }: { overwrite: boolean } & VolumeCall,
  ): Promise<true | undefined> {
    return moveFile(this.#tree, from, to, { overwrite, signal, fsync: this.#options.fsync });
  }

  async moveTree(from: string, to: string, { signal }: VolumeCall): Promise<number | undefined> {
    return moveTree(this.#tree, from, to, new Pacer(signal));
  }

  async copyFile(
    from: string,
    to: string,
    { overwrite, signal }: { overwrite: boolean } & VolumeCall,
  ): Promise<true> {
    return copyFile(this.#tree, from, to, { overwrite, signal, fsync: this.#options.fsync });
  }

  async grep(query: GrepQuery): Promise<GrepStream | undefined> {
    return grepTree(this.#tree, query, this.#options.ripgrep);
  }
}

function describe({ stats }: OpenFile, bytes: Uint8Array): VolumeFile {
  return {
    bytes,
    version: versionOf(stats),
    modifiedAt: modifiedAtOf(stats),
    createdAt: createdAtOf(stats),
  };
}
