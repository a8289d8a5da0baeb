import { randomUUID } from "node:crypto";
import { currentCaller, type Caller } from "@fs/protocol";
import { comparePaths, isCanonicalFilePath } from "@fs/protocol/author";
import { compileFilter } from "@fs/protocol/hooks";
import type { Change, ChangeSet, Side } from "./change.js";
import { isHash } from "./hash.js";

/** What a change set says of itself; all of it has a default. */
export interface ChangeSetOptions {
  /** Default: a random UUID. */
  readonly id?: string;
  /** ISO 8601, UTC. Default: now. */
  readonly created?: string;
  /** Default: the running call's caller. */
  readonly caller?: Caller;
}

/**
 * A change set of these changes, sorted by path. Throws a `TypeError` for a path that is not canonical or comes twice, and
 * for a state without a size or with neither hash nor version.
 */
export function changeSet(changes: readonly Change[], options: ChangeSetOptions = {}): ChangeSet {
  const sorted = changes.map(checkedChange).toSorted((a, b) => comparePaths(a.path, b.path));
  for (const [index, { path }] of sorted.entries()) {
    if (sorted[index + 1]?.path === path)
      throw new TypeError(
        `A change set holds each path once; ${JSON.stringify(path)} comes twice.`,
      );
  }
  return {
    id: options.id ?? randomUUID(),
    created: options.created ?? new Date().toISOString(),
    caller: options.caller ?? currentCaller(),
    changes: sorted,
  };
}

/** The changes that take these back: each path from `after` to `before`. A move is taken back as one. */
export function invert(set: ChangeSet, options: ChangeSetOptions = {}): ChangeSet {
  const origins = new Map(set.changes.map(({ path, from }) => [from, path]));
  return changeSet(
    set.changes.map(({ path, before, after }) => {
      const movedTo = origins.get(path);
      const change = { path, before: after, after: before };
      return after === null && movedTo !== undefined ? { ...change, from: movedTo } : change;
    }),
    options,
  );
}

/**
 * Tells which paths a selection means: all without one. A pattern without `/` matches the name at any depth, as the filter
 * of `grep` does. Throws a `TypeError` for a pattern that is not valid, so that a misspelt one never selects everything.
 */
export function pathFilter(
  only: string | readonly string[] | undefined,
): (path: string) => boolean {
  if (only === undefined) return () => true;
  const globs = (typeof only === "string" ? [only] : only).map((pattern) => {
    const compiled = compileFilter(pattern, "/");
    if (compiled.failure !== undefined) throw new TypeError(compiled.failure.error);
    return compiled.glob;
  });
  return (path) => globs.some((glob) => glob.matches(path));
}

/** The text of a change set, for {@link parseChangeSet}. */
export function formatChangeSet(set: ChangeSet): string {
  return JSON.stringify({ format: 1, ...set });
}

/** The change set of a text that {@link formatChangeSet} made. Throws a `TypeError` for any other. */
export function parseChangeSet(text: string): ChangeSet {
  const value = parsed(text);
  if (!isRecord(value) || value["format"] !== 1 || !Array.isArray(value["changes"]))
    throw new TypeError("This is not a change set of format 1.");
  const { id, created, caller, changes } = value;
  if (typeof id !== "string" || typeof created !== "string" || !isRecord(caller))
    throw new TypeError("A change set needs an id, a time and a caller.");
  return changeSet(changes as Change[], { id, created, caller: callerOf(caller) });
}

/** The caller of a stored record: the names that are known, where they hold texts. */
export function callerOf(record: Readonly<Record<string, unknown>>): Caller {
  const names = ["actor", "threadId", "turnId", "toolCallId"];
  return Object.fromEntries(
    names.map((name) => [name, record[name]]).filter(([, value]) => typeof value === "string"),
  );
}

/** Returns whether a value is an object with properties. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError("This is not a change set: it is no JSON.", { cause });
  }
}

function checkedChange(change: unknown): Change {
  if (!isRecord(change)) throw new TypeError("A change is an object with path, before and after.");
  const { path, before, after, from } = change;
  if (typeof path !== "string" || !isCanonicalFilePath(path))
    throw new TypeError(`A change needs a canonical path, not ${JSON.stringify(path)}.`);
  if (from !== undefined && (typeof from !== "string" || !isCanonicalFilePath(from)))
    throw new TypeError(`'from' of ${JSON.stringify(path)} must be a canonical path.`);
  const sides = { before: checkedSide(path, before), after: checkedSide(path, after) };
  return from === undefined ? { path, ...sides } : { path, ...sides, from };
}

function checkedSide(path: string, side: unknown): Side | null {
  if (side === null) return null;
  const wrong = new TypeError(
    `A side of ${JSON.stringify(path)} is null, or has a size and a hash or version.`,
  );
  if (!isRecord(side)) throw wrong;
  const { hash, size, version } = side;
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) throw wrong;
  if (hash !== undefined && !isHash(hash)) throw wrong;
  if (version !== undefined && typeof version !== "string") throw wrong;
  if (hash === undefined && version === undefined) throw wrong;
  return {
    size,
    ...(hash === undefined ? {} : { hash }),
    ...(version === undefined ? {} : { version }),
  };
}
