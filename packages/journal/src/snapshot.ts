import {
  type BlobStore,
  type Change,
  changeSet,
  type ChangeSet,
  fileAccess,
  isRecord,
  sameContent,
  type Side,
  sideOf,
} from "@fs/changes";
import type { AnyBackendProtocol } from "@fs/protocol";
import { comparePaths } from "@fs/protocol/author";
import { compileGlob } from "@fs/protocol/hooks";

/** The files of a tree at a moment. Plain data: store it as JSON. */
export interface Snapshot {
  /** ISO 8601, UTC. */
  readonly taken: string;
  readonly glob: string;
  /** By path, sorted. */
  readonly files: ReadonlyArray<readonly [path: string, side: Side]>;
}

export interface SnapshotOptions {
  /** Where contents are kept. */
  readonly blobs: BlobStore;
  /** An earlier one: a file whose version is still the same is not read. */
  readonly previous?: Snapshot;
  /** Default `"**\/*"`: all files. */
  readonly glob?: string;
  readonly signal?: AbortSignal;
}

/** Files that are read at once. */
const BATCH = 64;

/**
 * Keeps the files of a backend: their contents by hash, and the list of them. Files that change meanwhile are taken before
 * or after; it is no moment of the whole tree. Throws a `VolumeError` where a file cannot be read.
 */
export async function takeSnapshot(
  backend: AnyBackendProtocol,
  { blobs, previous, glob = "**/*", signal }: SnapshotOptions,
): Promise<Snapshot> {
  const files = fileAccess(backend);
  const known = new Map(previous?.files);
  const sides: Array<[string, Side]> = [];
  const toRead: string[] = [];
  for (const { path, version } of await files.files("/", glob, signal)) {
    const side = known.get(path);
    if (version !== undefined && side?.version === version) sides.push([path, side]);
    else toRead.push(path);
  }
  for (let from = 0; from < toRead.length; from += BATCH) {
    const paths = toRead.slice(from, from + BATCH);
    const read = await files.getMany(paths, signal);
    await blobs.put(
      read.flatMap((file) => (file === undefined ? [] : [file.bytes])),
      signal,
    );
    for (const [index, file] of read.entries()) {
      const path = paths[index];
      if (file !== undefined && path !== undefined)
        sides.push([path, sideOf(file.bytes, file.version)]);
    }
  }
  const taken = new Date().toISOString();
  return { taken, glob, files: sides.toSorted(([a], [b]) => comparePaths(a, b)) };
}

/** The snapshot of a parsed record. Throws a `TypeError` for what is none. */
export function parseSnapshot(value: unknown): Snapshot {
  if (!isRecord(value) || !Array.isArray(value["files"]))
    throw new TypeError("This is not a snapshot.");
  const { taken, glob, files } = value;
  if (typeof taken !== "string" || typeof glob !== "string")
    throw new TypeError("A snapshot has a time and a glob.");
  const listed = files.map((entry: unknown) => (Array.isArray(entry) ? (entry as unknown[]) : []));
  const { changes } = changesTo({
    files: listed.map(([path, side]) => [path, side] as [string, Side]),
  });
  const sides = changes.map(({ path, after }): [string, Side] => {
    if (after === null) throw new TypeError("A file of a snapshot has a side.");
    return [path, after];
  });
  return { taken, glob, files: sides };
}

/** What leads from nothing to a snapshot. Throws a `TypeError` for wrong paths and sides, by the rules of a change set. */
export function changesTo({ files }: Pick<Snapshot, "files">): ChangeSet {
  return changeSet(files.map(([path, after]) => ({ path, before: null, after })));
}

/**
 * What leads from one snapshot to another. With `applyChanges` it restores the second over the first. Files that only
 * one of the two has looked for are left out. Throws a `TypeError` for a snapshot whose pattern is none.
 */
export function diffSnapshots(from: Snapshot, to: Snapshot): ChangeSet {
  const [old, next] = [new Map(from.files), new Map(to.files)];
  const [inFrom, inTo] = [matcherOf(from), matcherOf(to)];
  const paths = [...new Set([...old.keys(), ...next.keys()])].filter(
    (path) => inFrom(path) && inTo(path),
  );
  const changes = paths.flatMap((path): Change[] => {
    const [before, after] = [old.get(path) ?? null, next.get(path) ?? null];
    return sameContent(before, after) ? [] : [{ path, before, after }];
  });
  return changeSet(changes);
}

/** Which files a snapshot looked for. Throws a `TypeError` for one whose pattern is none. */
function matcherOf({ glob }: Snapshot): (path: string) => boolean {
  const compiled = compileGlob(glob, "/");
  if (compiled.failure !== undefined) throw new TypeError(compiled.failure.error);
  return (path) => compiled.glob.matches(path);
}
