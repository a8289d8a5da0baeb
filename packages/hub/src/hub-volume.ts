import { isUtf8 } from "node:buffer";
import {
  childEntries,
  decodeText,
  inBatches,
  listingOf,
  pathsBelow,
  quote,
  VolumeError,
  type Volume,
  type VolumeCall,
  type VolumeEntry,
} from "@fs/protocol/author";
import { outcomeOf, type Wait, type WaitEnd, waitFor } from "@fs/protocol/async";
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
import { tooSlow } from "./too-slow.js";
import type { TreeCache } from "./tree-cache.js";
import { pathsInOrder } from "./paths-in-order.js";
import { type Files, hasDirectory, type HubFile, type Tree } from "./tree.js";

export interface HubVolumeOptions {
  /** Milliseconds for which a read may answer from what is already here. */
  readonly maxAgeMs: number;
  /** Milliseconds that a read may take. */
  readonly callTimeoutMs: number;
  /** True for a fixed commit. */
  readonly readOnly: boolean;
}

/** A repository of the Hub as a volume: reads from the tree that is here, writes as intents of the next commit. */
export function volumeOf(
  cache: TreeCache,
  queue: CommitQueue,
  { maxAgeMs, callTimeoutMs: timeoutMs, readOnly }: HubVolumeOptions,
): Volume {
  /** The tree that reads answer from. */
  const treeFor = ({ signal }: VolumeCall): Promise<Tree> =>
    treeWithin(cache, performance.now() - maxAgeMs, { signal, timeoutMs });

  const commit = async <T>(intent: Intent<T>, { signal }: VolumeCall): Promise<T> => {
    if (readOnly) {
      const detail = "This is one commit of the Hub repository, which cannot be changed.";
      throw new VolumeError("permission_denied", detail);
    }
    return queue.enqueue(intent, signal);
  };

  const unlessDeclined = async <T>(intent: Intent<T>, call: VolumeCall): Promise<T | undefined> => {
    try {
      return await commit(intent, call);
    } catch (error) {
      if (error instanceof Declined) return undefined;
      throw error;
    }
  };

  /** Known to be a directory: no reason to ask the Hub whether a file has come in its place. */
  const isKnownDirectory = async (path: string, call: VolumeCall): Promise<boolean> => {
    const { files } = await treeFor(call);
    return !files.has(path) && hasDirectory(files, path);
  };

  const relocateFile = async (
    kind: "move" | "copy",
    from: string,
    to: string,
    options: { overwrite: boolean } & VolumeCall,
  ): Promise<true | undefined> => {
    if (await isKnownDirectory(from, options)) return undefined;
    return unlessDeclined(relocateFileIntent(kind, from, to, options.overwrite), options);
  };

  return {
    directories: "implicit",
    collisions: "refused",
    ordersMutations: true,
    // A look beforehand would be at the tree that is here; an intent is judged on the one that it is committed on.
    relocatesUnseen: true,
    listsInOrder: true,

    async get(path, call) {
      return (await treeFor(call)).files.get(path);
    },

    async getMany(paths, call) {
      const { files } = await treeFor(call);
      return paths.map((path) => ({ status: "fulfilled", value: files.get(path) }));
    },

    async stat(path, call) {
      const { files } = await treeFor(call);
      const file = files.get(path);
      if (file !== undefined) return entryOf(path, file);
      return hasDirectory(files, path) ? { path, kind: "directory" } : undefined;
    },

    list: (directory, { deep, glob, signal }) =>
      listingOf(async function* () {
        const { files } = await treeFor({ signal });
        const below = pathsBelow(pathsInOrder(files), directory);
        if (deep) {
          const wanted = glob === undefined ? below : below.filter((path) => glob.matches(path));
          return yield* inBatches(entriesOf(files, wanted));
        }
        // Sizes and versions are worked out only for the children.
        const children = childEntries(directory, placesOf(below));
        yield children.flatMap((child) =>
          child.kind === "directory" ? child : [...entriesOf(files, [child.path])],
        );
      }),

    async put(path, bytes, condition) {
      return { version: await commit(putIntent(path, textOf(path, bytes), condition), condition) };
    },

    putMany: (files, { signal }) =>
      Promise.all(
        files.map(([path, bytes, condition = {}]) =>
          outcomeOf(async () => {
            const intent = putIntent(path, textOf(path, bytes), condition);
            return { version: await commit(intent, { signal }) };
          }),
        ),
      ),

    async remove(path, condition) {
      if (condition.ifVersion === undefined && (await isKnownDirectory(path, condition)))
        return false;
      try {
        await commit(removeIntent(path, condition.ifVersion), condition);
        return true;
      } catch (error) {
        if (VolumeError.isInstance(error) && error.code === "not_found") return false;
        throw error;
      }
    },

    async removeTree(path, call) {
      // As `remove` saw it: it leaves a directory to this hook, which is a file by the time of the commit, perhaps.
      const { files } = await treeWithin(cache, -Infinity, { signal: call.signal, timeoutMs });
      return commit(removeTreeIntent(path, hasDirectory(files, path)), call);
    },
    edit: (path, edits, condition) => unlessDeclined(editIntent(path, edits, condition), condition),

    moveFile: (from, to, options) => relocateFile("move", from, to, options),
    copyFile: (from, to, options) => relocateFile("copy", from, to, options),
    moveTree: (from, to, call) => commit(relocateTreeIntent("move", from, to), call),
    copyTree: (from, to, call) => commit(relocateTreeIntent("copy", from, to), call),
  };
}

/** The tree, no older than that, for as long as the caller waits. The pull itself goes on, for later calls. */
export function treeWithin(cache: TreeCache, notBefore: number, wait: Wait): Promise<Tree> {
  return waitFor(cache.tree(notBefore), wait, notWaited);
}

/** The error of a read that was not waited for any longer. */
export function notWaited(why: WaitEnd): VolumeError {
  return why === "aborted" ? new VolumeError("aborted") : tooSlow();
}

function* placesOf(paths: Iterable<string>): Generator<VolumeEntry> {
  for (const path of paths) yield { path, kind: "file" };
}

function* entriesOf(files: Files, paths: Iterable<string>): Generator<VolumeEntry> {
  for (const path of paths) {
    const file = files.get(path);
    if (file !== undefined) yield entryOf(path, file);
  }
}

function entryOf(path: string, file: HubFile): VolumeEntry {
  const { bytes, createdAt, modifiedAt, version } = file;
  return { path, kind: "file", size: bytes.length, modifiedAt, createdAt, version };
}

/** The Hub keeps files as strings of JSON, which hold any text, NUL included, and no other bytes. */
function textOf(path: string, bytes: Uint8Array): string {
  if (isUtf8(bytes)) return decodeText(bytes);
  throw new VolumeError(
    "invalid_path",
    `${quote(path)} cannot be stored: the Hub keeps text only, and these bytes are not UTF-8.`,
  );
}
