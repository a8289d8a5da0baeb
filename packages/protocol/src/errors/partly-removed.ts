import { isUncertain } from "./certainty.js";
import { failureFromThrown } from "./from-thrown.js";
import { OUTCOME_OPEN } from "./messages.js";
import { VolumeError } from "./volume-error.js";

/**
 * The error of a removal of a directory that ended early: once something is gone, the sentence says so, and whether more may be.
 *
 * @param files How many files had been removed.
 */
export function partlyRemoved(error: unknown, files: number, path: string): unknown {
  if (files === 0) return error;
  const { code } = failureFromThrown(error, path);
  const gone = files === 1 ? "1 file is gone" : `${files} files are gone`;
  const more = leavesOpen(error, path) ? ", and more may be" : "";
  return new VolumeError(
    code,
    `Only a part of the directory was removed (${code}): ${gone}${more}. List it to see what is left.`,
    { cause: VolumeError.isInstance(error) ? error.cause : error },
  );
}

/** Whether a step was sent whose outcome is not known. The plain sentence of a code is of one that was not sent (A7). */
function leavesOpen(error: unknown, path: string): boolean {
  if (VolumeError.isInstance(error)) return isUncertain(error) && error.detail !== undefined;
  return failureFromThrown(error, path, { mayHaveChanged: true }).error.includes(OUTCOME_OPEN);
}
