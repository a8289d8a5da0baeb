import { applyEdits } from "@fs/protocol/hooks";
import {
  childEntries,
  comparePaths,
  isWithin,
  listingOf,
  prefixOf,
  quote,
  VolumeError,
  type GrepQuery,
  type PutCondition,
  type Volume,
  type VolumeEntry,
  type VolumePut,
  type VolumeUpload,
} from "@fs/protocol/author";
import {
  searchTexts,
  storedCreatedAt,
  storedFileOf,
  storedFileWith,
  storedModifiedAt,
  storedSizeOf,
  storedTextOf,
  storedVolumeFile,
  timeAfter,
  type FileFormat,
  type StoredFile,
  utf8Length,
} from "@fs/protocol/records";
import type { FileSpace, StoredItem } from "./file-space.js";
import { versionOf } from "./file-version.js";

/** Files as items of a store, each under its path. */
export function volumeOf(open: () => Promise<FileSpace>, format: FileFormat): Volume {
  return {
    directories: "implicit",
    // To find out, every create would have to search the whole namespace.
    collisions: "allowed",

    async get(path) {
      const file = await (await open()).get(path);
      return file === undefined ? undefined : storedVolumeFile(path, file, versionOf(file));
    },

    async put(path, bytes, condition) {
      const space = await open();
      return space.alone(path, async () => {
        const old = replaceable(path, await space.look(path), condition);
        const file = storedFileOf(path, bytes, old, format);
        await space.apply([[path, file]]);
        return { version: versionOf(file) };
      });
    },

    async remove(path, { ifVersion }) {
      const space = await open();
      return space.alone(path, async () => {
        const old = await space.get(path);
        refuseOther(old, ifVersion);
        if (old !== undefined) await space.apply([[path, null]]);
        return old !== undefined;
      });
    },

    async edit(path, edits, { ifVersion, maxBytes }) {
      const space = await open();
      return space.alone(path, async () => {
        const old = await space.get(path);
        const text = old === undefined ? undefined : storedTextOf(path, old);
        // Whatever does not apply is left to the generic path, which says why.
        if (old === undefined || text === undefined || text.includes("\0")) return undefined;
        if (ifVersion !== undefined && ifVersion !== versionOf(old)) return undefined;
        const outcome = applyEdits(text, edits);
        if (outcome.refusal !== undefined) return undefined;
        const { occurrences } = outcome;
        const size = utf8Length(outcome.text);
        // With a NUL it is binary, which is stored in another form.
        if (size > maxBytes || outcome.text.includes("\0")) return undefined;
        if (outcome.text === text) return { occurrences, size, version: versionOf(old) };
        const file = storedFileWith(path, old, outcome.text, timeAfter(old), format);
        await space.apply([[path, file]]);
        return { occurrences, size, version: versionOf(file) };
      });
    },

    list: (directory, { deep, glob }) =>
      listingOf(async function* () {
        const prefix = prefixOf(directory);
        const below: VolumeEntry[] = [];
        for (const [path, file] of await (await open()).within(directory))
          if (path.startsWith(prefix) && (!deep || glob === undefined || glob.matches(path)))
            below.push(entryOf(path, file));
        yield deep ? below : childEntries(directory, below);
      }),

    async grep(query) {
      const files = await (await open()).within(query.root);
      return { batches: searchTexts(texts(files, query), query), sorted: true };
    },

    async getMany(paths) {
      const items = await (await open()).lookMany(paths);
      return paths.map((path, index) => {
        const file = items[index]?.file;
        const value =
          file === undefined ? undefined : storedVolumeFile(path, file, versionOf(file));
        return { status: "fulfilled", value };
      });
    },

    async putMany(files) {
      const space = await open();
      return space.aloneWithAll(new Set(files.map(([path]) => path)), () =>
        putAll(space, files, format),
      );
    },

    async removeTree(path) {
      const space = await open();
      const prefix = prefixOf(path);
      const gone = [...(await space.within(path)).keys()].filter((key) => key.startsWith(prefix));
      // An edit that has read its file before would put it back afterwards.
      await space.aloneWithAll(new Set(gone), () => space.apply(gone.map((key) => [key, null])));
      return gone.length;
    },
  };
}

/** Stores files, each on its condition and on those before it, with one call to look and one to store. */
async function putAll(
  space: FileSpace,
  files: readonly VolumeUpload[],
  format: FileFormat,
): Promise<Array<PromiseSettledResult<VolumePut>>> {
  const paths = [...new Set(files.map(([path]) => path))];
  const looked = await space.lookMany(paths);
  const items = new Map(paths.map((path, index) => [path, looked[index]]));
  const changed = new Map<string, StoredFile>();
  const outcomes = files.map(([path, bytes, condition]): PromiseSettledResult<VolumePut> => {
    try {
      const old = replaceable(path, items.get(path), condition ?? {});
      const file = storedFileOf(path, bytes, old, format);
      items.set(path, { kind: "file", file });
      changed.set(path, file);
      return { status: "fulfilled", value: { version: versionOf(file) } };
    } catch (reason) {
      return { status: "rejected", reason };
    }
  });
  await space.apply([...changed]);
  return outcomes;
}

/** The file that may be replaced. Throws where the condition is not met, and for an item that is no file. */
function replaceable(
  path: string,
  item: StoredItem | undefined,
  { ifAbsent, ifVersion }: Pick<PutCondition, "ifAbsent" | "ifVersion">,
): StoredFile | undefined {
  if (item?.kind === "other")
    throw new VolumeError(
      ifVersion === undefined ? "already_exists" : "conflict",
      `The store keeps something under ${quote(path)} that is no file, and it is not replaced. Choose another path.`,
    );
  if (ifAbsent === true && item?.file !== undefined) throw new VolumeError("already_exists");
  refuseOther(item?.file, ifVersion);
  return item?.file;
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

function entryOf(path: string, file: StoredFile): VolumeEntry {
  return {
    path,
    kind: "file",
    size: storedSizeOf(path, file),
    modifiedAt: storedModifiedAt(file),
    createdAt: storedCreatedAt(file),
  };
}

function refuseOther(old: StoredFile | undefined, ifVersion: string | undefined): void {
  if (ifVersion === undefined) return;
  if (old === undefined || versionOf(old) !== ifVersion) throw new VolumeError("conflict");
}
