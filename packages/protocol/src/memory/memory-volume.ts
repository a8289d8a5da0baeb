import { childEntries } from "../author/child-entries.js";
import type {
  ListQuery,
  PutCondition,
  RemoveCondition,
  Volume,
  VolumeEntry,
  VolumeFile,
} from "../spi/volume.js";
import { VolumeError } from "../errors/volume-error.js";
import { prefixOf } from "../paths/segments.js";

/** Files in a map. The smallest complete volume, and the one to copy when writing your own. */
export class MemoryVolume implements Volume {
  readonly #files = new Map<string, VolumeFile>();
  #clock = 0;

  async get(path: string): Promise<VolumeFile | undefined> {
    return this.#files.get(path);
  }

  async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    const old = this.#files.get(path);
    if (condition.ifAbsent === true && old !== undefined) throw new VolumeError("already_exists");
    this.#check(old, condition);
    const now = new Date().toISOString();
    const version = String(++this.#clock);
    this.#files.set(path, { bytes, version, modifiedAt: now, createdAt: old?.createdAt ?? now });
    return { version };
  }

  async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    this.#check(this.#files.get(path), condition);
    return this.#files.delete(path);
  }

  async *list(directory: string, { deep }: ListQuery): AsyncGenerator<VolumeEntry> {
    const below = [...this.#entries(prefixOf(directory))];
    yield* deep ? below : childEntries(directory, below);
  }

  *#entries(prefix: string): Generator<VolumeEntry> {
    for (const [path, { bytes, modifiedAt }] of this.#files) {
      if (path.startsWith(prefix)) yield { path, kind: "file", size: bytes.length, modifiedAt };
    }
  }

  #check(file: VolumeFile | undefined, { ifVersion }: RemoveCondition): void {
    if (ifVersion !== undefined && file?.version !== ifVersion) throw new VolumeError("conflict");
  }
}
