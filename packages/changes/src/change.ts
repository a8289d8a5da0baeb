import type { Caller } from "@fs/protocol";

/** One state of a file: what it holds, known by its hash, and the version that the storage gave it. */
export interface Side {
  /** `sha256:` and 64 hexadecimal digits. Absent where only the version was seen. */
  readonly hash?: string | undefined;
  /** Bytes. */
  readonly size: number;
  /** The version in the storage at that moment, for a conditional change. */
  readonly version?: string | undefined;
}

/** What becomes of one file. */
export interface Change {
  /** Canonical. */
  readonly path: string;
  /** The state that the change was made on; `null`: there was no file. */
  readonly before: Side | null;
  /** The state that it leads to; `null`: the file is removed. */
  readonly after: Side | null;
  /** The path that the content was moved from. That file is removed only once this one is in place. */
  readonly from?: string | undefined;
}

/** Changes that belong together, each path once, sorted. Contents are kept in a blob store, by hash. */
export interface ChangeSet {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly created: string;
  readonly caller: Caller;
  readonly changes: readonly Change[];
}

/** What a change does to its file. */
export type ChangeKind = "create" | "modify" | "delete" | "none";

/** What a change does to its file; `"none"` when it leads to the same content. */
export function kindOf({ before, after }: Pick<Change, "before" | "after">): ChangeKind {
  if (before === null) return after === null ? "none" : "create";
  if (after === null) return "delete";
  return before.hash !== undefined && before.hash === after.hash ? "none" : "modify";
}

/** Returns whether two states hold the same content; `false` where a hash is not known. */
export function sameContent(a: Side | null, b: Side | null): boolean {
  if (a === null || b === null) return a === b;
  return a.hash !== undefined && a.hash === b.hash;
}
