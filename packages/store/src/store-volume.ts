import {
  applyEdits,
  childEntries,
  comparePaths,
  isWithin,
  prefixOf,
  searchTexts,
  storedBytesOf,
  storedCreatedAt,
  storedFileOf,
  storedFileWith,
  storedModifiedAt,
  storedSizeOf,
  storedTextOf,
  storedVersionOf,
  timeAfter,
  VolumeError,
  type FileFormat,
  type EditCondition,
  type GrepQuery,
  type GrepStream,
  type ListQuery,
  type PutCondition,
  type RemoveCondition,
  type Replacement,
  type StoredFile,
  type Volume,
  type VolumeEdit,
  type VolumeEntry,
  type VolumeFile,
  type VolumeUpload,
} from "@fs/protocol/author";
import type { FileSpace } from "./file-space.js";

/** Files as items of a store, each under its path. */
export class StoreVolume implements Volume {
  readonly directories = "implicit";
  // To tell, every create would have to search the whole namespace.
  readonly collisions = "allowed";
  readonly #open: () => Promise<FileSpace>;
  readonly #format: FileFormat;

  constructor(open: () => Promise<FileSpace>, format: FileFormat) {
    this.#open = open;
    this.#format = format;
  }

  async get(path: string): Promise<VolumeFile | undefined> {
    const file = await (await this.#open()).get(path);
    return file === undefined ? undefined : volumeFileOf(path, file);
  }

  async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    const space = await this.#open();
    return space.alone(path, async () => {
      const old = await space.get(path);
      if (condition.ifAbsent === true && old !== undefined) throw new VolumeError("already_exists");
      refuseOther(old, condition);
      const file = storedFileOf(path, bytes, old, this.#format);
      await space.apply([[path, file]]);
      return { version: storedVersionOf(file) };
    });
  }

  async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    const space = await this.#open();
    return space.alone(path, async () => {
      const old = await space.get(path);
      refuseOther(old, condition);
      if (old !== undefined) await space.apply([[path, null]]);
      return old !== undefined;
    });
  }

  async edit(
    path: string,
    edits: readonly Replacement[],
    { ifVersion, maxBytes }: EditCondition,
  ): Promise<VolumeEdit | undefined> {
    const space = await this.#open();
    return space.alone(path, async () => {
      const old = await space.get(path);
      const text = old === undefined ? undefined : storedTextOf(path, old);
      // Whatever does not apply is left to the generic path, which says why.
      if (old === undefined || text === undefined || text.includes("\0")) return undefined;
      if (ifVersion !== undefined && ifVersion !== storedVersionOf(old)) return undefined;
      const outcome = applyEdits(text, edits);
      if (outcome.refusal !== undefined || Buffer.byteLength(outcome.text) > maxBytes)
        return undefined;
      if (outcome.text !== text) {
        const file = storedFileWith(path, old, outcome.text, timeAfter(old), this.#format);
        await space.apply([[path, file]]);
      }
      return { occurrences: outcome.occurrences };
    });
  }

  async *list(directory: string, { deep, glob }: ListQuery): AsyncGenerator<VolumeEntry> {
    const prefix = prefixOf(directory);
    const below: VolumeEntry[] = [];
    for (const [path, file] of await (await this.#open()).within(directory))
      if (path.startsWith(prefix) && (!deep || glob === undefined || glob.matches(path)))
        below.push(entryOf(path, file));
    yield* deep ? below : childEntries(directory, below);
  }

  async grep(query: GrepQuery): Promise<GrepStream> {
    const files = await (await this.#open()).within(query.root);
    return { batches: searchTexts(texts(files, query), query), sorted: true };
  }

  async getMany(
    paths: readonly string[],
  ): Promise<ReadonlyArray<PromiseSettledResult<VolumeFile | undefined>>> {
    const files = await (await this.#open()).getMany(paths);
    return paths.map((path, index) => {
      const file = files[index];
      const value = file === undefined ? undefined : volumeFileOf(path, file);
      return { status: "fulfilled", value };
    });
  }

  async putMany(
    files: readonly VolumeUpload[],
  ): Promise<ReadonlyArray<PromiseSettledResult<undefined>> | undefined> {
    if (files.some(([, , condition]) => condition !== undefined)) return undefined;
    const latest = new Map(files.map(([path, bytes]) => [path, bytes] as const));
    await (
      await this.#open()
    ).apply(
      [...latest].map(([path, bytes]) => [
        path,
        storedFileOf(path, bytes, undefined, this.#format),
      ]),
    );
    return files.map(() => ({ status: "fulfilled", value: undefined }));
  }

  async removeTree(path: string): Promise<number> {
    const space = await this.#open();
    const prefix = prefixOf(path);
    const gone = [...(await space.within(path)).keys()].filter((key) => key.startsWith(prefix));
    await space.apply(gone.map((key) => [key, null]));
    return gone.length;
  }
}

/** The texts that a search reads, made one at a time. */
function* texts(
  files: ReadonlyMap<string, StoredFile>,
  query: GrepQuery,
): Generator<readonly [string, string]> {
  const paths = [...files.keys()].filter((path) => isWithin(path, query.root));
  for (const path of paths.toSorted(comparePaths)) {
    const file = query.accepts(path) ? files.get(path) : undefined;
    const text = file === undefined ? undefined : storedTextOf(path, file);
    if (text !== undefined) yield [path, text];
  }
}

function volumeFileOf(path: string, file: StoredFile): VolumeFile {
  return {
    bytes: storedBytesOf(path, file),
    version: storedVersionOf(file),
    modifiedAt: storedModifiedAt(file),
    createdAt: storedCreatedAt(file),
  };
}

function entryOf(path: string, file: StoredFile): VolumeEntry {
  return {
    path,
    kind: "file",
    size: storedSizeOf(path, file),
    modifiedAt: storedModifiedAt(file),
  };
}

function refuseOther(old: StoredFile | undefined, { ifVersion }: RemoveCondition): void {
  if (ifVersion === undefined) return;
  if (old === undefined || storedVersionOf(old) !== ifVersion) throw new VolumeError("conflict");
}
