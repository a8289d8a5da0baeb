import { failureFromThrown } from "./from-thrown.js";
import { VolumeError } from "./volume-error.js";

/**
 * The error of a removal of a directory that ended early: once something is gone, the sentence says so.
 *
 * @param files How many files had been removed.
 */
export function partlyRemoved(error: unknown, files: number, path: string): unknown {
  if (files === 0) return error;
  const { code } = failureFromThrown(error, path);
  const gone = files === 1 ? "1 file is gone" : `${files} files are gone`;
  return new VolumeError(
    code,
    `Only a part of the directory was removed (${code}): ${gone}. List it to see what is left.`,
    { cause: VolumeError.isInstance(error) ? error.cause : error },
  );
}
