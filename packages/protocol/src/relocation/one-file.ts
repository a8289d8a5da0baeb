import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import type { Arrival } from "./copy-files.js";

/** Whether what was replaced had the very version that the copy has: the same content, stored by another call. */
export function storedOverItself({ replaced, version }: Arrival): boolean {
  return replaced?.version !== undefined && replaced.version === version;
}

/** Whether source and destination have one version although one was stored over the other: a hash of the same content. */
export function mayBeOneFile({ replaced, sourceVersion, version }: Arrival): boolean {
  return replaced !== undefined && version !== undefined && version === sourceVersion;
}

export function oneFile(from: string, to: string): VolumeError {
  return new VolumeError(
    "conflict",
    `${quote(from)} and ${quote(to)} are one file in one storage: there is nothing to move.`,
    { path: from },
  );
}

/** Removing a source has removed the copy too, and that could not be stored again. */
export function mayBeGone(from: string, to: string, cause: unknown): VolumeError {
  return new VolumeError(
    "unavailable",
    `${quote(from)} and ${quote(to)} seem to be one file in one storage. It was removed, and may be gone, because it could not be stored again. Look at both paths.`,
    { path: to, cause },
  );
}
