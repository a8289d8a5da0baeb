import { randomUUID } from "node:crypto";
import { MemoryVolume } from "@fs/protocol";
import {
  type PutCondition,
  type RemoveCondition,
  type VolumeEntry,
  VolumeError,
  type VolumeFile,
  type VolumePut,
} from "@fs/protocol/author";

/** A storage whose versions are hashes: the same content has the same version. `/alias` and `/from` may be one file. */
export class HashVolume extends MemoryVolume {
  aliased = false;
  timed = true;
  /** Every file has this one time. */
  frozen = false;
  /** Whether `put`, `get` and `stat` name the write that stored a file. */
  named = false;
  readonly #writes = new Map<string, string>();

  #real(path: string): string {
    return this.aliased && path === "/alias" ? "/from" : path;
  }

  override async get(path: string): Promise<VolumeFile | undefined> {
    const file = await super.get(this.#real(path));
    if (file === undefined) return undefined;
    const version = `hash of ${new TextDecoder().decode(file.bytes)}`;
    const writeId = this.#writes.get(this.#real(path)) ?? "";
    return { ...file, version, ...(this.named && { writeId }) };
  }

  override async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<VolumePut & { version: string }> {
    await this.#require(path, condition);
    const { ifAbsent } = condition;
    await super.put(this.#real(path), bytes, ifAbsent === undefined ? {} : { ifAbsent });
    const writeId = randomUUID();
    this.#writes.set(this.#real(path), writeId);
    const version = `hash of ${new TextDecoder().decode(bytes)}`;
    return { version, ...(this.named && { writeId }) };
  }

  override async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    await this.#require(path, condition);
    return super.remove(this.#real(path), {});
  }

  async stat(path: string): Promise<VolumeEntry | undefined> {
    const file = await this.get(path);
    if (file === undefined) {
      for await (const _ of this.list(path, { deep: true })) return { path, kind: "directory" };
      return undefined;
    }
    const { version, writeId } = file;
    const modifiedAt = this.frozen ? "2026-01-01T00:00:00.000Z" : file.modifiedAt;
    const times = this.timed ? { modifiedAt } : {};
    return { path, kind: "file", version, ...times, ...(this.named && { writeId }) };
  }

  async #require(path: string, { ifVersion }: RemoveCondition): Promise<void> {
    if (ifVersion !== undefined && (await this.get(path))?.version !== ifVersion)
      throw new VolumeError("conflict");
  }
}
