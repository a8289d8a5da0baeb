import type {
  ListQuery,
  PutCondition,
  RemoveCondition,
  Volume,
  VolumeCall,
  VolumeEntry,
  VolumeFile,
} from "@fs/protocol/volume";
import { VolumeError } from "@fs/protocol/volume";
import { createdAtOf } from "./file/creation-times.js";
import { putFile } from "./file/put-file.js";
import { readWhole } from "./file/read-bytes.js";
import { removeFile } from "./file/remove-file.js";
import { modifiedAtOf, versionOf } from "./file/version.js";
import type { Tree } from "./tree/tree.js";
import { listTree } from "./walk/list.js";

/** What a {@link DiskVolume} works with. */
export interface DiskVolumeOptions {
  readonly tree: Tree;
  /** Bytes that a file may have to be held in memory whole. */
  readonly maxFileBytes: number;
  /** Flush every change before it is acknowledged. */
  readonly fsync: boolean;
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
    const file = orUndefined(() => this.#tree.openFile(path));
    if (file === undefined) return undefined;
    const { stats } = file;
    const bytes = await readWhole(file, this.#options.maxFileBytes, signal);
    return {
      bytes,
      version: versionOf(stats),
      modifiedAt: modifiedAtOf(stats),
      createdAt: createdAtOf(stats),
    };
  }

  async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    return putFile(this.#tree, path, [bytes], condition, this.#options);
  }

  async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    return removeFile(this.#tree, path, condition);
  }

  async *list(directory: string, query: ListQuery): AsyncGenerator<VolumeEntry> {
    try {
      yield* listTree(this.#tree, directory, query);
    } catch (error) {
      // The root counts as there even before its first file.
      const missing = VolumeError.isInstance(error) && error.code === "not_found";
      if (!missing || directory !== "/") throw error;
    }
  }
}

/** Runs a look-up; nothing there, or something below a file, is `undefined`. */
function orUndefined<T>(lookUp: () => T): T | undefined {
  try {
    return lookUp();
  } catch (error) {
    const missing =
      VolumeError.isInstance(error) &&
      (error.code === "not_found" || error.code === "not_directory");
    if (missing) return undefined;
    throw error;
  }
}
