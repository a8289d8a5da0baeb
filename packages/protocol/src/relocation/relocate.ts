import { refuseAborted } from "../concurrency/refuse-aborted.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { isCanonicalFilePath, MAX_PATH_BYTES } from "../paths/path.js";
import { type Arrival, type CopyOutcome, copyFiles } from "./copy-files.js";
import type { Leg, RelocationEnd } from "./ends.js";
import { legBatches } from "./leg-batches.js";
import { removeSources } from "./remove-sources.js";
import { type Left, takeBack } from "./take-back.js";

/** Whether the source goes. */
export type Kind = "move" | "copy";

/** What is relocated, and how. */
export interface Relocation {
  readonly kind: Kind;
  readonly source: RelocationEnd;
  readonly target: RelocationEnd;
  /** Both of them without the signal of the call: what an aborted call has done is undone all the same. */
  readonly undo: RelocationEnd;
  readonly signal?: AbortSignal | undefined;
  readonly overwrite: boolean;
  /** A file that is gone when its turn comes is left out, as in a tree; else it is `not_found`. */
  readonly tree: boolean;
}

/**
 * The one engine behind every move and copy that a storage cannot do by itself: within a volume and between mounts.
 *
 * Destinations are created, or with `overwrite` replaced in the version seen; sources are removed in the version copied. When
 * a copy fails, those that had arrived are taken back in the version that the call stored, and what they replaced is
 * restored. Nothing is undone where the outcome of a change is unknown. Rules M2 to M9 of `docs/semantics.md`.
 *
 * @returns How many files arrived. Throws the first error; `invalid_argument` and `invalid_path` before anything is written.
 */
export async function relocateFiles(relocation: Relocation, legs: readonly Leg[]): Promise<number> {
  const { kind, source, target, undo, overwrite, tree, signal } = relocation;
  refuseBadPaths(legs);
  refuseChain(legs);
  const arrived: Arrival[] = [];
  try {
    for (const batch of legBatches(legs)) {
      const outcomes = await copyFiles(source, target, batch, { overwrite, tree });
      for (const outcome of outcomes) if ("arrival" in outcome) arrived.push(outcome.arrival);
      const failed = errorOf(outcomes, tree);
      if (failed !== undefined) throw failed;
    }
    if (kind === "move") refuseAborted(signal);
  } catch (error) {
    throw withLeftovers(error, await takeBack(undo, arrived));
  }
  if (kind === "copy") return arrived.length;
  // Only once every file has arrived is the first source removed.
  const [first] = await removeSources(relocation, arrived);
  if (first !== undefined) throw first;
  return arrived.length;
}

/** What would be stored under a path that no call can name would be acknowledged, and out of reach. */
function refuseBadPaths(legs: readonly Leg[]): void {
  if (legs.every(({ to }) => isCanonicalFilePath(to))) return;
  if (legs.some(({ to }) => to === "/"))
    throw new VolumeError("is_directory", undefined, { path: "/" });
  throw new VolumeError(
    "invalid_path",
    `A file of the source would get a path that is not valid, such as one of more than ${MAX_PATH_BYTES} bytes.`,
  );
}

/**
 * A leg that ends where another begins would have that file's content replaced before or after it is copied, as the batches
 * fall: a directory that is put over a directory above it, and holds one of its own name.
 */
function refuseChain(legs: readonly Leg[]): void {
  const sources = new Set(legs.map(({ from }) => from));
  if (legs.some(({ to }) => sources.has(to)))
    throw new VolumeError(
      "invalid_argument",
      "Files of the source would be put over other files of the source. Move it elsewhere first.",
    );
}

/** The error of a call that could not take back all it had copied. */
function withLeftovers(error: unknown, [left]: readonly Left[]): unknown {
  if (left === undefined) return error;
  const { from, to } = left.leg;
  return new VolumeError(
    VolumeError.isInstance(error) ? error.code : "unavailable",
    left.stays
      ? `The call failed, and its copy ${quote(to)} stays: another call has removed or moved ${quote(from)} meanwhile, and it may be all that is left of the file.`
      : `The call failed, and whether its copy ${quote(to)} was taken back is not known. Nothing was removed from the source.`,
    { cause: error },
  );
}

/** The error of a batch: one that leaves something open says more than one after which all is as it was. */
function errorOf(outcomes: readonly CopyOutcome[], tree: boolean): unknown {
  const failed = outcomes.filter((outcome) => "error" in outcome);
  const open = failed.filter(({ unknown }) => unknown === true);
  const [first] = open.length > 0 ? open : failed;
  if (first !== undefined && open.length > 0) return whetherStored(first, open.length - 1);
  if (first !== undefined) return first.error;
  const gone = outcomes.find((outcome) => "gone" in outcome);
  if (gone === undefined || tree) return undefined;
  return new VolumeError("not_found", undefined, { path: gone.gone.from });
}

/** A failed store in words that say what may be at the destination. */
function whetherStored({ leg, error }: { leg: Leg; error: unknown }, others: number): VolumeError {
  const copies = others === 0 ? "was" : `and ${others === 1 ? "another" : `${others} others`} were`;
  return new VolumeError(
    VolumeError.isInstance(error) ? error.code : "unavailable",
    `${quote(leg.from)} is where it was; whether its copy ${quote(leg.to)} ${copies} stored is not known. Look before you try again.`,
    { path: leg.to, cause: error },
  );
}
