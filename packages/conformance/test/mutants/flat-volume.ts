import {
  childEntries,
  type ListQuery,
  prefixOf,
  type PutCondition,
  type RemoveCondition,
  type Volume,
  type VolumeEntry,
  VolumeError,
  type VolumeFile,
} from "@fs/protocol/author";

/** Files by path and nothing else, as in a bucket: a file may be where a directory is, and below another file. */
export class FlatVolume implements Volume {
  readonly collisions: "checked" | "allowed" = "checked";
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
    this.#refuseOther(path, condition);
    const now = new Date().toISOString();
    const version = String(++this.#clock);
    this.#files.set(path, { bytes, version, modifiedAt: now, createdAt: old?.createdAt ?? now });
    return { version };
  }

  async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    this.#refuseOther(path, condition);
    return this.#files.delete(path);
  }

  async *list(directory: string, { deep }: ListQuery): AsyncGenerator<VolumeEntry> {
    const below = this.below(directory);
    yield* deep ? below : childEntries(directory, below);
  }

  /** Every file below a directory. */
  protected below(directory: string): VolumeEntry[] {
    return [...this.#files]
      .filter(([path]) => path.startsWith(prefixOf(directory)))
      .map(([path, { bytes, modifiedAt, version }]): VolumeEntry => {
        return { path, kind: "file", size: bytes.length, modifiedAt, version };
      });
  }

  #refuseOther(path: string, { ifVersion }: RemoveCondition): void {
    if (ifVersion !== undefined && this.#files.get(path)?.version !== ifVersion)
      throw new VolumeError("conflict");
  }
}
