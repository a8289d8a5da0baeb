import { failure } from "../errors/messages.js";
import type { MutationOptions } from "../types/options.js";
import type { Filesystem } from "../types/protocol.js";
import type { DeleteResult } from "../types/results.js";
import { statOf } from "./stat-of.js";

/** Rounds of looking and removing before a call gives up; in each of them another caller has changed the file. */
const ROUNDS = 100;

/**
 * Removes a file in the version that was seen, so that a directory that takes its place meanwhile stays. Fails with
 * `is_directory`, `not_found`, `conflict`, and with `unsupported` where the backend cannot remove.
 */
export async function removeFile(
  backend: Filesystem,
  path: string,
  { ifVersion, ...options }: MutationOptions,
): Promise<DeleteResult> {
  if (backend.delete === undefined) return failure("unsupported", path);
  for (let round = 1; ; round++) {
    const found = await statOf(backend, path, options);
    if (found.error !== undefined) return found;
    if (found.info.is_dir === true) return failure("is_directory", path);
    const version = ifVersion ?? found.info.version;
    const condition = version === undefined ? {} : { ifVersion: version };
    const removed = await backend.delete(path, { ...options, ...condition });
    const lost = removed.code === "conflict" && ifVersion === undefined;
    if (!lost || round === ROUNDS) return removed;
  }
}
