import {
  childEntries,
  decodeText,
  type EditCondition,
  type ListQuery,
  type PutCondition,
  quote,
  type RemoveCondition,
  type Replacement,
  type Volume,
  type VolumeCall,
  type VolumeEdit,
  type VolumeEntry,
  VolumeError,
  type VolumeFile,
  type VolumePut,
  type VolumeUpload,
} from "@fs/protocol/author";
import { isUtf8 } from "node:buffer";
import type { CommitQueue } from "./commit-queue.js";
import {
  Declined,
  editIntent,
  type Intent,
  putIntent,
  relocateFileIntent,
  relocateTreeIntent,
  removeIntent,
  removeTreeIntent,
} from "./intents.js";
import type { TreeCache } from "./tree-cache.js";
import { filesBelow, hasDirectory, type HubFile, type Tree } from "./tree.js";

export interface HubVolumeOptions {
  /** Milliseconds for which a read may answer from what is already here. */
  readonly maxAgeMs: number;
  /** True for a fixed commit. */
  readonly readOnly: boolean;
}

/** A repository of the Hub as a volume: reads from the tree that is here, writes as intents of the next commit. */
export class HubVolume implements Volume {
  readonly directories = "implicit";
  readonly collisions = "refused";
  readonly ordersMutations = true;
  readonly #cache: TreeCache;
  readonly #queue: CommitQueue;
  readonly #options: HubVolumeOptions;

  constructor(cache: TreeCache, queue: CommitQueue, options: HubVolumeOptions) {
    this.#cache = cache;
    this.#queue = queue;
    this.#options = options;
  }

  /** The tree that reads answer from. */
  #tree(): Promise<Tree> {
    return this.#cache.tree(performance.now() - this.#options.maxAgeMs);
  }

  async get(path: string): Promise<VolumeFile | undefined> {
    const { files } = await this.#tree();
    return files.get(path);
  }

  async getMany(
    paths: readonly string[],
  ): Promise<ReadonlyArray<PromiseSettledResult<VolumeFile | undefined>>> {
    const { files } = await this.#tree();
    return paths.map((path) => ({ status: "fulfilled", value: files.get(path) }));
  }

  async stat(path: string): Promise<VolumeEntry | undefined> {
    const { files } = await this.#tree();
    const file = files.get(path);
    if (file !== undefined) return entryOf(path, file);
    return hasDirectory(files, path) ? { path, kind: "directory" } : undefined;
  }

  async *list(directory: string, { deep }: ListQuery): AsyncGenerator<VolumeEntry> {
    const { files } = await this.#tree();
    const below = filesBelow(files, directory).flatMap((path) => {
      const file = files.get(path);
      return file === undefined ? [] : [entryOf(path, file)];
    });
    yield* deep ? below : childEntries(directory, below);
  }

  async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    const intent = putIntent(path, textOf(path, bytes), condition);
    return { version: await this.#commit(intent, condition) };
  }

  async putMany(
    files: readonly VolumeUpload[],
    call: VolumeCall,
  ): Promise<ReadonlyArray<PromiseSettledResult<VolumePut>>> {
    return Promise.allSettled(
      files.map(([path, bytes, condition]) =>
        this.put(path, bytes, { ...condition, signal: call.signal }),
      ),
    );
  }

  async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    // Known to be a directory: no reason to ask the Hub whether a file has come in its place.
    const { files } = await this.#tree();
    if (!files.has(path) && hasDirectory(files, path) && condition.ifVersion === undefined) {
      return false;
    }
    try {
      await this.#commit(removeIntent(path, condition.ifVersion), condition);
      return true;
    } catch (error) {
      if (VolumeError.isInstance(error) && error.code === "not_found") return false;
      throw error;
    }
  }

  async removeTree(path: string, call: VolumeCall): Promise<number> {
    return this.#commit(removeTreeIntent(path), call);
  }

  async edit(
    path: string,
    edits: readonly Replacement[],
    condition: EditCondition,
  ): Promise<VolumeEdit | undefined> {
    const intent = editIntent(path, edits, condition);
    const occurrences = await this.#unlessDeclined(intent, condition);
    return occurrences === undefined ? undefined : { occurrences };
  }

  async moveFile(
    from: string,
    to: string,
    options: { overwrite: boolean } & VolumeCall,
  ): Promise<true | undefined> {
    return this.#commit(relocateFileIntent("move", from, to, options.overwrite), options);
  }

  async copyFile(
    from: string,
    to: string,
    options: { overwrite: boolean } & VolumeCall,
  ): Promise<true | undefined> {
    return this.#commit(relocateFileIntent("copy", from, to, options.overwrite), options);
  }

  async moveTree(from: string, to: string, call: VolumeCall): Promise<number | undefined> {
    return this.#unlessDeclined(relocateTreeIntent("move", from, to), call);
  }

  async copyTree(from: string, to: string, call: VolumeCall): Promise<number | undefined> {
    return this.#unlessDeclined(relocateTreeIntent("copy", from, to), call);
  }

  async #commit<T>(intent: Intent<T>, { signal }: VolumeCall): Promise<T> {
    if (this.#options.readOnly) {
      const detail = "This is one commit of the Hub repository, which cannot be changed.";
      throw new VolumeError("permission_denied", detail);
    }
    return this.#queue.enqueue(intent, signal);
  }

  async #unlessDeclined<T>(intent: Intent<T>, call: VolumeCall): Promise<T | undefined> {
    try {
      return await this.#commit(intent, call);
    } catch (error) {
      if (error instanceof Declined) return undefined;
      throw error;
    }
  }
}

function entryOf(path: string, file: HubFile): VolumeEntry {
  return { path, kind: "file", size: file.bytes.length, modifiedAt: file.modifiedAt };
}

/** The Hub keeps files as strings of JSON, which hold any text, NUL included, and no other bytes. */
function textOf(path: string, bytes: Uint8Array): string {
  if (isUtf8(bytes)) return decodeText(bytes);
  throw new VolumeError(
    "invalid_path",
    `${quote(path)} cannot be stored: the Hub keeps text only, and these bytes are not UTF-8.`,
  );
}
