import { applyEdits, classify, type Replacement } from "@fs/protocol/hooks";
import {
  type EditCondition,
  encodeText,
  joinPath,
  prefixOf,
  quote,
  type VolumeEdit,
  VolumeError,
} from "@fs/protocol/author";
import type { Draft } from "./draft.js";
import { filesBelow, hasDirectory } from "./tree.js";

/**
 * What a caller wants, to be carried out on a draft: again and again, if others commit in between. It throws a `VolumeError`
 * when it is refused, and has then changed nothing.
 */
export type Intent<T> = (draft: Draft) => T;

/** Says that a hook has no answer: the generic path knows why, and words it. */
export class Declined extends Error {}

export interface Condition {
  readonly ifAbsent?: boolean | undefined;
  readonly ifVersion?: string | undefined;
}

/** Stores a whole file; gives its version. */
export function putIntent(path: string, text: string, condition: Condition): Intent<string> {
  return (draft) => {
    const old = draft.get(path);
    if (condition.ifAbsent === true && old !== undefined) throw new VolumeError("already_exists");
    refuseVersion(draft, path, condition.ifVersion);
    return draft.set(path, text).version;
  };
}

/** Removes a file. Throws `not_found`. */
export function removeIntent(path: string, ifVersion: string | undefined): Intent<void> {
  return (draft) => {
    refuseVersion(draft, path, ifVersion);
    draft.refuseLinked(path);
    if (draft.get(path) === undefined) throw new VolumeError("not_found");
    draft.delete(path);
  };
}

/**
 * Removes all below a directory; gives the number of files. Where the caller saw a directory, a file that is there by now is a
 * `conflict`: it is not what was to be removed.
 */
export function removeTreeIntent(path: string, wasDirectory: boolean): Intent<number> {
  return (draft) => {
    const paths = draft.changeableBelow(path);
    if (wasDirectory && paths.length === 0) refuseFile(draft, path);
    for (const file of paths) draft.delete(file);
    return paths.length;
  };
}

/**
 * Replaces text. An edit that applied before another client committed, and does not any more, is a
 * `conflict`; every other refusal is {@link Declined}.
 */
export function editIntent(
  path: string,
  edits: readonly Replacement[],
  limits: Pick<EditCondition, "ifVersion" | "maxBytes">,
): Intent<VolumeEdit> {
  let applied = false;
  return (draft) => {
    const file = draft.get(path);
    if (file === undefined || classify(path, file.bytes).kind === "binary") throw new Declined();
    refuseVersion(draft, path, limits.ifVersion);
    draft.refuseLinked(path);
    const outcome = applyEdits(file.text, edits);
    if (outcome.refusal !== undefined) {
      if (applied) throw new VolumeError("conflict");
      throw new Declined();
    }
    const size = encodeText(outcome.text).length;
    if (size > limits.maxBytes) throw new Declined();
    const { version } = draft.set(path, outcome.text);
    applied = true;
    return { occurrences: outcome.occurrences, version, size };
  };
}

/** Copies one file, or moves it. Throws `already_exists`; {@link Declined} where the source is no file. */
export function relocateFileIntent(
  kind: "move" | "copy",
  from: string,
  to: string,
  overwrite: boolean,
): Intent<true> {
  return (draft) => {
    const file = draft.get(from);
    if (file === undefined) throw new Declined();
    if (kind === "move") draft.refuseLinked(from);
    if (!overwrite && draft.get(to) !== undefined) throw new VolumeError("already_exists");
    draft.set(to, file.text);
    if (kind === "move") draft.delete(from);
    return true;
  };
}

/**
 * Copies a directory to where nothing stands, or moves it; gives the number of files. Throws `not_found`, `already_exists`, and
 * `conflict` where the directory is a file by now.
 */
export function relocateTreeIntent(
  kind: "move" | "copy",
  from: string,
  to: string,
): Intent<number> {
  return (draft) => {
    const paths = kind === "move" ? draft.changeableBelow(from) : filesBelow(draft.files, from);
    if (paths.length === 0) {
      refuseFile(draft, from);
      throw new VolumeError("not_found", undefined, { path: from });
    }
    if (draft.get(to) !== undefined || hasDirectory(draft.files, to))
      throw new VolumeError("already_exists");
    const texts = paths.map((path) => {
      const place = joinPath(to, path.slice(prefixOf(from).length));
      draft.refuseUnnameable(place);
      return [place, draft.get(path)?.text ?? ""] as const;
    });
    // All go below the same new directory: what could still refuse one of them refuses the first, before anything is changed.
    for (const [place, text] of texts) draft.set(place, text);
    if (kind === "move") for (const path of paths) draft.delete(path);
    return paths.length;
  };
}

/** Throws `conflict` for a file where a directory was seen. */
function refuseFile(draft: Draft, path: string): void {
  if (draft.get(path) === undefined) return;
  const detail = `${quote(path)} was a directory, and is a file by now. Nothing was changed; try again.`;
  throw new VolumeError("conflict", detail);
}

function refuseVersion(draft: Draft, path: string, ifVersion: string | undefined): void {
  if (ifVersion !== undefined && draft.get(path)?.version !== ifVersion) {
    throw new VolumeError("conflict");
  }
}
