import { type BlobStore, blobStore, fileAccess, jsonBytes, jsonOf } from "@fs/changes";
import { parseSnapshot, type Snapshot } from "@fs/journal";
import type { AnyBackendProtocol } from "@fs/protocol";
import { VolumeError } from "@fs/protocol/author";
import { UsageError } from "./usage-error.js";

/** Where contents of snapshots are kept: apart from those of the journal, which ends with its records. */
export function snapshotBlobs(store: AnyBackendProtocol): BlobStore {
  return blobStore(store, "/snapshots/contents");
}

/** Keeps a snapshot under a name. Throws `already_exists` where the name is taken. */
export async function keepSnapshot(
  store: AnyBackendProtocol,
  name: string,
  snapshot: Snapshot,
): Promise<void> {
  await fileAccess(store).put(pathOf(name), jsonBytes(snapshot), { ifAbsent: true });
}

/** The snapshot of a name. Throws `not_found`. */
export async function snapshotNamed(store: AnyBackendProtocol, name: string): Promise<Snapshot> {
  const path = pathOf(name);
  const file = await fileAccess(store).get(path);
  if (file === undefined) throw new VolumeError("not_found", "There is no snapshot of this name.");
  return parseSnapshot(jsonOf(path, file));
}

function pathOf(name: string): string {
  if (!/^[\w][\w.-]{0,99}$/.test(name))
    throw new UsageError("A snapshot is named by letters, digits, '.', '_' and '-'.");
  return `/snapshots/names/${name}.json`;
}
