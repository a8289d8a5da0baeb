import type { VolumeError } from "@fs/protocol/author";
import type { HubRepository } from "./repository.js";
import type { TreeCache } from "./tree-cache.js";
import type { Changes, Files, HubFile, Tree } from "./tree.js";
import { unconfirmed } from "./unconfirmed.js";

/** A commit whose answer was lost. */
export interface LostCommit {
  /** What it was to be made on. */
  readonly before: Tree;
  readonly changes: Changes;
  /** What to say of the answer that was lost. */
  readonly error: VolumeError;
  /** True when the Hub may yet carry it out. */
  readonly open: boolean;
}

/**
 * Finds out whether a commit whose answer was lost was made: false only where it was not and will not be. For whoever has the
 * turn. Throws an error that says that the outcome is unknown.
 */
export async function wasMade(
  lost: LostCommit,
  repository: HubRepository,
  cache: TreeCache,
): Promise<boolean> {
  let cause: unknown = lost.error;
  try {
    cache.distrust();
    const made = await look(lost, repository, await cache.treeInTurn(-Infinity));
    if (made !== undefined) return made;
  } catch (error) {
    cause = error;
  }
  // The caller is asked to look again, and may then see more than was seen here.
  cache.distrust();
  throw unconfirmed("unavailable", cause);
}

async function look(
  { before, changes, open }: LostCommit,
  repository: HubRepository,
  now: Tree,
): Promise<boolean | undefined> {
  // Every commit after the parent makes this one impossible. Until then, a request without an answer may still make it.
  if (isSameCommit(before, now)) return open ? undefined : false;
  if (isTreeWith(now.files, before.files, changes)) return true;
  if (before.commit === undefined) return undefined;
  // Others have committed as well. Commits form a chain: only the one right after the parent can be this one.
  const child = await repository.childOf(before.commit);
  return child === undefined ? undefined : isTreeWith(child, before.files, changes);
}

function isSameCommit(before: Tree, now: Tree): boolean {
  if (before.commit === undefined) return now.commit === undefined;
  return now.commit?.startsWith(before.commit) === true;
}

/** Returns whether a tree is exactly another with changes. */
function isTreeWith(tree: Files, before: Files, changes: Changes): boolean {
  const paths = new Set([...tree.keys(), ...before.keys(), ...changes.keys()]);
  return [...paths].every((path) => {
    const change = changes.get(path);
    const file = tree.get(path);
    return change === undefined
      ? isSameFile(file, before.get(path))
      : (file?.text ?? null) === change;
  });
}

/** A link is the same while it leads to the same repository: what else the Hub says of it may change without a commit. */
function isSameFile(one: HubFile | undefined, other: HubFile | undefined): boolean {
  if (one?.link !== undefined && other?.link !== undefined)
    return one.link.repo_handle === other.link.repo_handle;
  return one?.text === other?.text;
}
