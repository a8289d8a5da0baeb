import { MemoryVolume } from "@fs/protocol";
import type { PutCondition, RemoveCondition, VolumeFile } from "@fs/protocol/author";

/** A storage whose callers see and compare versions other than those that it counts. */
export abstract class OwnVersions extends MemoryVolume {
  protected abstract versionOf(path: string, file: VolumeFile): string;

  /** Called after each change of a file, before its new version is asked for. */
  protected stored(_path: string, _bytes: Uint8Array): void {}

  /** Whether a version that a caller gives is the version of the file. */
  protected same(version: string, given: string): boolean {
    return version === given;
  }

  override async get(path: string): Promise<VolumeFile | undefined> {
    const file = await super.get(path);
    return file === undefined ? undefined : { ...file, version: this.versionOf(path, file) };
  }

  override async put(
    path: string,
    bytes: Uint8Array,
    { ifVersion, ...rest }: PutCondition,
  ): Promise<{ version: string }> {
    await super.put(path, bytes, { ...rest, ...(await this.#counted(path, ifVersion)) });
    this.stored(path, bytes);
    return { version: (await this.get(path))?.version ?? "" };
  }

  override async remove(path: string, { ifVersion }: RemoveCondition): Promise<boolean> {
    return super.remove(path, await this.#counted(path, ifVersion));
  }

  // The own version is compared; the counted one is only passed on.
  async #counted(path: string, ifVersion: string | undefined): Promise<RemoveCondition> {
    if (ifVersion === undefined) return {};
    const file = await super.get(path);
    const right = file !== undefined && this.same(this.versionOf(path, file), ifVersion);
    return { ifVersion: right ? file.version : "another" };
  }
}

/** A storage whose versions are made anew with each change, and compared in a way of its own. */
export class MadeVersions extends OwnVersions {
  readonly #made = new Map<string, string>();

  readonly #make: (path: string, bytes: Uint8Array) => string;
  readonly #same: ((version: string, given: string) => boolean) | undefined;

  constructor(
    make: (path: string, bytes: Uint8Array) => string,
    same?: (version: string, given: string) => boolean,
  ) {
    super();
    this.#make = make;
    this.#same = same;
  }

  protected override versionOf(path: string): string {
    return this.#made.get(path) ?? "";
  }

  protected override stored(path: string, bytes: Uint8Array): void {
    this.#made.set(path, this.#make(path, bytes));
  }

  protected override same(version: string, given: string): boolean {
    return this.#same?.(version, given) ?? super.same(version, given);
  }

  override async *list(
    ...args: Parameters<MemoryVolume["list"]>
  ): ReturnType<MemoryVolume["list"]> {
    for await (const { version: _, ...entry } of super.list(...args)) yield entry;
  }
}
