import { asWritten } from "../call/as-written.js";
import { optionsOf } from "../call/options-of.js";
import { refuseStructure, treeAccessOf } from "../call/tree-access.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { quote } from "../errors/messages.js";
import { partlyRemoved } from "../errors/partly-removed.js";
import { VolumeError } from "../errors/volume-error.js";
import { canonicalPath } from "../paths/path.js";
import { isWithin } from "../paths/segments.js";
import type { Leg } from "../relocation/ends.js";
import { filesystemEnd } from "../relocation/filesystem-end.js";
import { legsBetween, relocateDirectory } from "../relocation/relocate-directory.js";
import { type Kind, relocateFiles } from "../relocation/relocate.js";
import type { MutationOptions, TransferOptions } from "../types/options.js";
import type { Failure } from "../types/outcome.js";
import type { Filesystem } from "../types/protocol.js";
import type { DeleteResult, TransferResult } from "../types/results.js";

/** The failure of a call that must not touch one of these files. */
export type CheckFiles<T> = (files: readonly T[]) => Promise<Failure | undefined>;

/**
 * Removes a file or a directory of which every file is checked first. Exactly the checked files are removed: one that
 * arrives meanwhile stays, because nobody has allowed its removal.
 */
export async function deleteChecked(
  inner: Filesystem,
  written: string,
  options: MutationOptions,
  check: CheckFiles<string>,
): Promise<DeleteResult> {
  return answered([written], async () => {
    const path = canonicalOf(written);
    const tree = treeAccessOf(inner);
    refuseStructure(tree, path);
    const end = filesystemEnd(inner, optionsOf(options.signal));
    const standing = path === "/" ? undefined : await end.stat(path);
    // A file, what is missing and what cannot be removed at all are the backend's to answer; a version rules out a directory.
    if (standing?.kind !== "directory" || options.ifVersion !== undefined)
      return (
        (await checked(check, [path])) ??
        (await inner.delete?.(written, options)) ??
        failureFromThrown(new VolumeError("unsupported"), written)
      );
    const files = await tree.filesBelow(path, optionsOf(options.signal));
    const refused = await checked(
      check,
      files.map((file) => file.path),
    );
    if (refused !== undefined) return refused;
    const removed = await end.remove(files.map((file) => [file.path, undefined]));
    const gone = removed.filter((outcome) => outcome.status === "fulfilled" && outcome.value);
    for (const outcome of removed)
      if (outcome.status === "rejected") throw partlyRemoved(outcome.reason, gone.length, path);
    await end.removeEmpty(path);
    return { path };
  });
}

/**
 * Moves or copies a file or a directory of which every file is checked first, with where it goes. Exactly the checked files
 * are relocated.
 */
export async function relocateChecked(
  inner: Filesystem,
  kind: Kind,
  written: readonly [from: string, to: string],
  options: TransferOptions,
  check: CheckFiles<Leg>,
): Promise<TransferResult> {
  return answered(written, async () => {
    const [from, to] = [canonicalOf(written[0]), canonicalOf(written[1])];
    if (isWithin(to, from))
      throw new VolumeError("invalid_argument", `${quote(from)} cannot be put at or below itself.`);
    const tree = treeAccessOf(inner);
    if (kind === "move") refuseStructure(tree, from);
    refuseStructure(tree, to);
    const end = filesystemEnd(inner, optionsOf(options.signal));
    const standing = await end.stat(from);
    if (standing === undefined) throw new VolumeError("not_found");
    const { overwrite = false, signal } = options;
    const relocation = {
      kind,
      source: end,
      target: end,
      undo: filesystemEnd(inner, {}),
      signal,
      overwrite,
    };
    if (standing.kind === "file") {
      const leg = { from, to };
      const refused = await checked(check, [leg]);
      if (refused !== undefined) return refused;
      return { path: to, files: await relocateFiles({ ...relocation, tree: false }, [leg]) };
    }
    const files = await end.filesBelow(from);
    const refused = await checked(check, legsBetween(files, from, to));
    if (refused !== undefined) return refused;
    const source = { ...end, filesBelow: async () => files };
    return { path: to, files: await relocateDirectory({ ...relocation, source }, from, to) };
  });
}

async function answered<T>(
  written: readonly [string, to?: string],
  task: () => Promise<T>,
): Promise<T | Failure> {
  try {
    return asWritten(await task(), written);
  } catch (error) {
    if (error instanceof ThrownByCheck) throw error.reason;
    return asWritten(failureFromThrown(error, written[0], { mayHaveChanged: true }), written);
  }
}

/** What a check threw to pause a run: it is the caller's, and no failure of the storage. */
class ThrownByCheck {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

async function checked<T>(check: CheckFiles<T>, files: readonly T[]): Promise<Failure | undefined> {
  try {
    return await check(files);
  } catch (error) {
    throw new ThrownByCheck(error);
  }
}

function canonicalOf(path: string): string {
  const canonical = canonicalPath(path);
  if (canonical.failure !== undefined)
    throw new VolumeError(canonical.failure.code, canonical.failure.error);
  return canonical.path;
}
