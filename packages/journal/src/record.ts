import { randomBytes } from "node:crypto";
import { callerOf, type Change, changeSet, isRecord } from "@fs/changes";
import type { Caller } from "@fs/protocol";
import { withKnownHashes } from "./known-hashes.js";

/**
 * How a recorded call ended. `done` and `refused`: as it was answered, or found out later. `not done`: it was begun and
 * never took effect. `unknown`: it cannot be found out. `open`: it is under way, or its end was never recorded.
 */
export type RecordOutcome = "done" | "refused" | "not done" | "unknown" | "open";

/** What is stored before a call is made. */
export interface BeginEntry {
  readonly phase: "begin";
  /** A UUID of version 7: sorts by time. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly caller: Caller;
  /** The method of the backend; `"undo"` and `"restore"` are the journal's own. */
  readonly method: string;
  /** What the call is to change: each file before, and after where that is known in advance. */
  readonly changes: readonly Change[];
  /** False: the files may have changed between the look and the call, or the call changes what cannot be foreseen. */
  readonly exact: boolean;
  /** The records that this one takes back. */
  readonly undoes?: readonly string[] | undefined;
  /** The command, of `execute`. */
  readonly command?: string | undefined;
}

/** What is stored after a call, once by whoever made it, and once by whoever found out later. */
export interface EndEntry {
  /** `"settled"`: found out by what the files hold. What the call itself ended with counts more, also when it comes later. */
  readonly phase: "end" | "settled";
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly outcome: Exclude<RecordOutcome, "open">;
  /** Of a refusal: its code. */
  readonly code?: string | undefined;
  /** What has changed: each file with the version that the call gave it. */
  readonly changes: readonly Change[];
  /** Of a command: what it ended with; `null` where it was killed. */
  readonly exitCode?: number | null | undefined;
  /** False, when it turned out that the images may not be those of the change. */
  readonly exact?: boolean | undefined;
  /** True when the end was found out later, by what the files hold. */
  readonly settled?: boolean | undefined;
}

export type JournalEntry = BeginEntry | EndEntry;

/** One recorded call. */
export interface JournalRecord extends Omit<BeginEntry, "phase"> {
  /** What has changed; of a call that is open or `unknown`, what it was to change. */
  readonly changes: readonly Change[];
  readonly outcome: RecordOutcome;
  readonly code?: string | undefined;
  /** Of a command: what it ended with; `null` where it was killed. */
  readonly exitCode?: number | null | undefined;
  readonly settled?: boolean | undefined;
}

let lastTime = 0;
let counter = 0;

/** A UUID of version 7. Those of one process sort in the order in which they were made. */
export function newRecordId(): string {
  const now = Math.max(Date.now(), lastTime);
  counter = now === lastTime ? counter + 1 : 0;
  // The counter has 12 bits; a millisecond that is full is followed by the next.
  if (counter > 0xfff) {
    counter = 0;
    lastTime = now + 1;
  } else lastTime = now;
  const time = lastTime.toString(16).padStart(12, "0");
  const random = randomBytes(8);
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const tail = random.toString("hex");
  const count = counter.toString(16).padStart(3, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** The time in an ID of {@link newRecordId}, in milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replace("-", "").slice(0, 12), 16);
}

/** Records of their entries, sorted by ID. An end without a beginning is left out: it was removed first. */
export function recordsOf(entries: readonly JournalEntry[]): JournalRecord[] {
  const ends = new Map<string, EndEntry>();
  for (const entry of entries) {
    if (entry.phase === "begin") continue;
    if (entry.phase === "end" || !ends.has(entry.id)) ends.set(entry.id, entry);
  }
  const records = entries
    .filter((entry) => entry.phase === "begin")
    .map((begin) => {
      const { id, time, caller, method, undoes, command } = begin;
      const call = {
        id,
        time,
        caller,
        method,
        ...(undoes === undefined ? {} : { undoes }),
        ...(command === undefined ? {} : { command }),
      };
      const end = ends.get(id);
      if (end === undefined)
        return { ...call, changes: begin.changes, exact: begin.exact, outcome: "open" as const };
      const { outcome, code, exitCode, settled } = end;
      return {
        ...call,
        changes: changesOf(begin, end),
        outcome,
        exact: begin.exact && end.exact !== false,
        ...(code === undefined ? {} : { code }),
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(settled === undefined ? {} : { settled }),
      };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return withKnownHashes(records);
}

/** What a call has changed; where that cannot be found out, what it was to change. */
export function changesOf(
  begin: Pick<BeginEntry, "changes">,
  end: Pick<EndEntry, "outcome" | "changes">,
): readonly Change[] {
  return end.outcome === "unknown" ? begin.changes : end.changes;
}

/** Changes with each path once, none of the root: an older version stored such of a refused move onto itself or the root. */
function eachOnce(changes: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>(["/"]);
  return changes.filter((change) => {
    const path = isRecord(change) ? change["path"] : change;
    return !seen.has(path) && seen.add(path);
  });
}

const OUTCOMES: ReadonlySet<unknown> = new Set(["done", "refused", "not done", "unknown"]);

/** The entry of a parsed record. Throws a `TypeError` for what is none. */
export function entryOf(value: unknown): JournalEntry {
  if (!isRecord(value)) throw new TypeError("A journal entry is an object.");
  const { phase, id, time, changes } = value;
  if (typeof id !== "string" || typeof time !== "string" || !Array.isArray(changes))
    throw new TypeError("A journal entry has an ID, a time and changes.");
  const checked = changeSet(eachOnce(changes) as Change[]).changes;
  if (phase === "begin" && isRecord(value["caller"]) && typeof value["method"] === "string") {
    const { undoes, command, exact } = value;
    return {
      phase,
      id,
      time,
      caller: callerOf(value["caller"]),
      method: value["method"],
      changes: checked,
      exact: exact === true,
      ...(Array.isArray(undoes) ? { undoes: undoes.map(String) } : {}),
      ...(typeof command === "string" ? { command } : {}),
    };
  }
  const { outcome, code, exact, exitCode, settled } = value;
  if ((phase !== "end" && phase !== "settled") || !OUTCOMES.has(outcome))
    throw new TypeError("A journal entry is a beginning or an end.");
  return {
    phase,
    id,
    time,
    outcome: outcome as EndEntry["outcome"],
    changes: checked,
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof exact === "boolean" ? { exact } : {}),
    ...(typeof exitCode === "number" || exitCode === null ? { exitCode } : {}),
    ...(settled === true ? { settled } : {}),
  };
}
