import {
  type Change,
  changeSet,
  type ChangeSet,
  hashOf,
  kindOf,
  pathFilter,
  type Side,
} from "@fs/changes";
import { sideOfVersion } from "./base-layer.js";
import type { Layers } from "./layers.js";
import type { Overlay } from "./upper-layer.js";

/**
 * The staged changes as a change set, moves recognised by their content.
 *
 * @param overlay All that is staged, where it was just read.
 */
export async function stagedChanges(
  { upper, base }: Layers,
  only: string | readonly string[] | undefined,
  signal?: AbortSignal,
  overlay?: Overlay,
): Promise<ChangeSet> {
  const selected = pathFilter(only);
  const staged = overlay ?? (await upper.below("/", signal));
  const all = changesOf(staged).filter(({ path }) => selected(path));
  const sizes = new Set(all.filter(isCreation).map(({ after }) => after?.size));
  const known = await Promise.all(
    all.map(async (change) => {
      const { path, before, after } = change;
      if (after !== null || before === null || before.hash !== undefined) return change;
      if (!sizes.has(before.size)) return change;
      const file = await base.get(path, signal);
      if (file === undefined) return change;
      const { version } = sideOfVersion(file.bytes.length, file.version);
      return version === before.version
        ? { ...change, before: { ...before, hash: hashOf(file.bytes) } }
        : change;
    }),
  );
  return changeSet(withOrigins(known));
}

function changesOf({ puts, gone }: Overlay): Change[] {
  return [
    ...[...puts.values()].map(({ entry: { path, base, after } }) => ({
      path,
      before: base,
      after,
    })),
    ...[...gone].map(([path, before]) => ({ path, before, after: null })),
  ];
}

function isCreation(change: Change): boolean {
  return kindOf(change) === "create";
}

/** Each created file that holds what one removed file held is named as moved from there. */
function withOrigins(changes: readonly Change[]): Change[] {
  const removed = new Map<string, string[]>();
  for (const change of changes) {
    const hash = kindOf(change) === "delete" ? change.before?.hash : undefined;
    if (hash !== undefined) removed.set(hash, [...(removed.get(hash) ?? []), change.path]);
  }
  return changes.map((change) => {
    const from = isCreation(change) ? removed.get(change.after?.hash ?? "")?.shift() : undefined;
    return from === undefined ? change : { ...change, from };
  });
}

/** The content of the base that a change was made on; `undefined` where nobody has it any more. */
export async function contentBefore(
  { upper, base }: Layers,
  path: string,
  side: Side,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  const kept = side.hash === undefined ? undefined : await upper.blobs.get(side.hash, signal);
  if (kept !== undefined) return kept;
  const file = await base.get(path, signal);
  if (file === undefined) return undefined;
  const { version } = sideOfVersion(file.bytes.length, file.version);
  const same =
    side.hash === undefined ? version === side.version : hashOf(file.bytes) === side.hash;
  return same ? file.bytes : undefined;
}
