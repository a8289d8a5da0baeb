import { applyEdits } from "@fs/protocol/hooks";
import {
  ancestorsOf,
  inBatches,
  joinPath,
  listingOf,
  VolumeError,
  type GrepQuery,
  type ListQuery,
  type PutCondition,
  type RemoveCondition,
  type Volume,
  type VolumeEntry,
} from "@fs/protocol/author";
import { searchTexts, storedVolumeFile, utf8Length } from "@fs/protocol/records";
import type { ContentStore } from "./content-store.js";
import {
  createdAt,
  modifiedAt,
  referringFile,
  storedFileOf,
  textOf,
  timeAfter,
  type FileFormat,
  type StoredFile,
} from "./file-data.js";
import { entryOf, versionOf } from "./file-facts.js";
import { DIRECTORY, type FileTree } from "./file-tree.js";
import type { Change } from "./operations.js";

/** Where a call finds the files and leaves its changes. Between the two nothing may be awaited. */
export interface Workspace {
  /** Whether changes are replayed by the reducer of this package. Others drop references to contents. */
  keepsReferences(): boolean;
  view(): FileTree;
  /** A promise where something is still needed to make the change last. */
  acknowledge(change: Change): Promise<void> | undefined;
}

/** Where a volume's files are, and how they are kept. */
export interface StateVolumeOptions {
  readonly open: () => Workspace | Promise<Workspace>;
  readonly format: FileFormat;
  /** Where large contents are kept, when they are kept outside the state. */
  readonly contents: ContentStore | undefined;
  /** The directory of the field that holds this volume's files; empty for all of them. */
  readonly root: string;
}

/** Files in the state of the running graph. Every mutation checks and takes effect without a pause in between. */
export function stateVolume({ open, format, contents, root }: StateVolumeOptions): Volume {
  /** Where a path, which may be the root directory, is in the field. */
  const placeOf = (path: string): string => (path === "/" && root !== "" ? root : root + path);

  /** The reference to a content that is kept outside the state. */
  const keep = async (
    workspace: Workspace,
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> => {
    if (contents === undefined || bytes.length < contents.from) return undefined;
    return workspace.keepsReferences() ? contents.keep(bytes, signal) : undefined;
  };

  const get: Volume["get"] = async (path, { signal }) => {
    const file = (await open()).view().file(root + path);
    if (file === undefined) return undefined;
    const version = versionOf(file);
    if (file.reference === undefined) return storedVolumeFile(path, file, version);
    const bytes = await fetched(file.reference, contents, signal);
    return { bytes, version, modifiedAt: modifiedAt(file), createdAt: createdAt(file) };
  };

  function* childrenOf(tree: FileTree, directory: string): Generator<VolumeEntry> {
    for (const [name, child] of tree.children(placeOf(directory)) ?? []) {
      const path = joinPath(directory, name);
      yield child === DIRECTORY ? { path, kind: "directory" } : entryOf(path, child);
    }
  }

  function* filesBelow(
    tree: FileTree,
    directory: string,
    glob: ListQuery["glob"],
  ): Generator<VolumeEntry> {
    for (const place of tree.below(placeOf(directory))) {
      const path = place.slice(root.length);
      if (glob !== undefined && !glob.matches(path)) continue;
      const file = tree.file(place);
      if (file !== undefined) yield entryOf(path, file);
    }
  }

  return {
    directories: "implicit",
    collisions: "refused",
    get,

    async put(name, bytes, condition) {
      const path = root + name;
      const workspace = await open();
      refuseUnmet(workspace.view(), path, condition);
      const reference = await keep(workspace, bytes, condition.signal);
      // While the content was on its way, others may have changed the file.
      const tree = workspace.view();
      refuseUnmet(tree, path, condition);
      const old = tree.file(path);
      const file =
        reference === undefined
          ? storedFileOf(path, bytes, old, format)
          : referringFile(path, bytes, old, reference);
      await workspace.acknowledge({ put: path, file });
      return { version: versionOf(file) };
    },

    async remove(name, condition) {
      const path = root + name;
      const workspace = await open();
      const old = workspace.view().file(path);
      refuseOther(old, condition);
      if (old === undefined) return false;
      await workspace.acknowledge({ remove: path });
      return true;
    },

    async removeTree(name) {
      const path = placeOf(name);
      const workspace = await open();
      const { length } = workspace.view().below(path);
      if (length > 0) await workspace.acknowledge({ removeBelow: path });
      return length;
    },

    async edit(name, edits, { ifVersion, maxBytes }) {
      const path = root + name;
      const workspace = await open();
      const file = workspace.view().file(path);
      const text = file === undefined ? undefined : textOf(path, file);
      // Whatever does not apply is left to the generic path, which says why.
      if (file === undefined || text === undefined || text.includes("\0")) return undefined;
      if (ifVersion !== undefined && ifVersion !== versionOf(file)) return undefined;
      const outcome = applyEdits(text, edits);
      if (outcome.refusal !== undefined || utf8Length(outcome.text) > maxBytes) return undefined;
      // With a NUL it is binary, which is stored in another form.
      if (outcome.text.includes("\0")) return undefined;
      const { occurrences } = outcome;
      if (outcome.text === text) return { occurrences, version: versionOf(file) };
      const at = timeAfter(file);
      const lasting = workspace.acknowledge({
        edit: path,
        edits,
        at,
        ...(format === "v1" ? { v1: true } : {}),
      });
      // The change is in the view at once; what comes after the wait may be another call's.
      const edited = workspace.view().file(path);
      await lasting;
      return edited === undefined ? { occurrences } : { occurrences, version: versionOf(edited) };
    },

    async stat(path) {
      const tree = (await open()).view();
      const place = placeOf(path);
      const file = tree.file(place);
      if (file !== undefined)
        return { ...entryOf(path, file), version: versionOf(file), createdAt: createdAt(file) };
      const known = path === "/" || tree.isDirectory(place);
      return known ? { path, kind: "directory" } : undefined;
    },

    list: (directory, { deep, glob }) =>
      listingOf(async function* () {
        const tree = (await open()).view();
        yield* inBatches(deep ? filesBelow(tree, directory, glob) : childrenOf(tree, directory));
      }),

    async grep(query) {
      // Contents that have to be fetched are left to the generic path, which fetches a few at a time.
      if (contents !== undefined) return undefined;
      const tree = (await open()).view();
      return { batches: searchTexts(texts(tree, query, root), query), sorted: true };
    },

    async getMany(paths, call) {
      return Promise.allSettled(paths.map(async (path) => get(path, call)));
    },
  };
}

/** The content of a file whose record only refers to it. */
async function fetched(
  reference: string,
  contents: ContentStore | undefined,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (contents === undefined)
    throw new VolumeError(
      "unavailable",
      "The file's content is kept outside the state: give the backend that holds it as `content`.",
    );
  return contents.fetch(reference, signal);
}

/** The texts that a search reads, made one at a time. */
function* texts(
  tree: FileTree,
  query: GrepQuery,
  root: string,
): Generator<readonly [string, string]> {
  const start = query.root === "/" && root !== "" ? root : root + query.root;
  const places = tree.file(start) === undefined ? tree.below(start) : [start];
  for (const place of places) {
    const path = place.slice(root.length);
    const file = query.accepts(path) ? tree.file(place) : undefined;
    const text = file === undefined ? undefined : textOf(path, file);
    if (text !== undefined) yield [path, text];
  }
}

function refuseUnmet(tree: FileTree, path: string, condition: PutCondition): void {
  refuseCollision(tree, path);
  const old = tree.file(path);
  if (condition.ifAbsent === true && old !== undefined) throw new VolumeError("already_exists");
  refuseOther(old, condition);
}

function refuseOther(old: StoredFile | undefined, { ifVersion }: RemoveCondition): void {
  if (ifVersion === undefined) return;
  if (old === undefined || versionOf(old) !== ifVersion) throw new VolumeError("conflict");
}

function refuseCollision(tree: FileTree, path: string): void {
  if (tree.isDirectory(path)) throw new VolumeError("is_directory");
  for (const ancestor of ancestorsOf(path))
    if (tree.file(ancestor) !== undefined) throw new VolumeError("not_directory");
}
