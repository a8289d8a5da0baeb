import { callerOf, isHash, isRecord, type Side } from "@fs/changes";
import type { Caller } from "@fs/protocol";
import { isCanonicalFilePath, VolumeError } from "@fs/protocol/author";

interface Staged {
  /** Canonical, of the file; of a tree, the directory. */
  readonly path: string;
  /** Unlike that of any other entry, so that a version never comes back. */
  readonly stamp: string;
  /** ISO 8601, UTC. */
  readonly stagedAt: string;
  readonly caller: Caller;
}

/** A file that is created or changed. */
export interface PutEntry extends Staged {
  readonly op: "put";
  /** The base's file when the path was first changed; `null`: there was none. */
  readonly base: Side | null;
  readonly after: Side & { readonly hash: string };
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** True of a file that was created where none was visible: a removal of its directory that is under way leaves it. */
  readonly created?: true;
}

/** A file of the base that is removed. */
export interface GoneEntry extends Staged {
  readonly op: "gone";
  readonly base: Side;
  /**
   * True of a file that was only staged, while a commit had frozen it: the base has it only if that commit stored it, and
   * `base` is what it would have stored.
   */
  readonly onlyStaged?: true;
}

/** A directory of the base that is removed: exactly the files that were seen in it. */
export interface GoneTreeEntry extends Staged {
  readonly op: "gone-tree";
  /** By canonical path. */
  readonly files: Readonly<Record<string, Side>>;
}

/** One staged change, as the upper layer keeps it. */
export type Entry = PutEntry | GoneEntry | GoneTreeEntry;

/** Returns whether a change was made on this state of the base. */
export function standsOn(base: Side | null, before: Side | null): boolean {
  if (base === null || before === null) return base === before;
  return (
    base.version === before.version && (base.version !== undefined || base.hash === before.hash)
  );
}

/** The entry of a parsed record. Throws `unavailable` for what is none: an overlay that guesses would show wrong files. */
export function entryOf(value: unknown): Entry {
  if (!isRecord(value)) throw damaged();
  const { path, op, stamp, stagedAt, caller } = value;
  if (typeof path !== "string" || !isCanonicalFilePath(path)) throw damaged();
  if (typeof stamp !== "string" || typeof stagedAt !== "string" || !isRecord(caller))
    throw damaged();
  const staged = { path, stamp, stagedAt, caller: callerOf(caller) };
  if (op === "put") {
    const { base, after, createdAt } = value;
    const side = sideOfRecord(after);
    if (side.hash === undefined || typeof createdAt !== "string") throw damaged();
    const before = base === null ? null : sideOfRecord(base);
    const created = value["created"] === true ? { created: true as const } : {};
    return {
      ...staged,
      op,
      base: before,
      after: { ...side, hash: side.hash },
      createdAt,
      ...created,
    };
  }
  if (op === "gone") {
    const onlyStaged = value["onlyStaged"] === true ? { onlyStaged: true as const } : {};
    return { ...staged, op, base: sideOfRecord(value["base"]), ...onlyStaged };
  }
  const { files } = value;
  if (op !== "gone-tree" || !isRecord(files)) throw damaged();
  const sides = Object.entries(files).map(([file, side]) => [file, sideOfRecord(side)] as const);
  return { ...staged, op, files: Object.fromEntries(sides) };
}

function sideOfRecord(value: unknown): Side {
  if (!isRecord(value)) throw damaged();
  const { hash, size, version } = value;
  if (typeof size !== "number" || (hash === undefined && version === undefined)) throw damaged();
  if (hash !== undefined && !isHash(hash)) throw damaged();
  if (version !== undefined && typeof version !== "string") throw damaged();
  return { size, ...(hash && { hash }), ...(version === undefined ? {} : { version }) };
}

function damaged(): VolumeError {
  return new VolumeError("unavailable", "An entry of the staged changes is damaged.");
}
