import type { Change, FileAccess, Side } from "@fs/changes";
import { holds } from "./mutate-file.js";
import { type EndEntry, type JournalRecord, timeOfId } from "./record.js";
import { CLOSED, lookAtAll } from "./seen-state.js";

/**
 * What became of a call whose end was never recorded, by what is known now: the next recorded change of each file, else
 * what the file holds. Where neither is as before or as after, or where another call may have done the same, it is
 * `unknown`; nothing is guessed.
 *
 * @param records All that are known, by ID.
 */
export async function settleRecord(
  files: FileAccess,
  record: JournalRecord,
  records: readonly JournalRecord[],
): Promise<EndEntry> {
  const verdicts = await Promise.all(
    record.changes.map((change) => verdictOf(files, { id: record.id, change }, records)),
  );
  const made = record.changes.flatMap((change, index): Change[] => {
    const verdict = verdicts[index];
    if (verdict?.outcome !== "done") return [];
    const { after } = change;
    return [{ ...change, after: after && { ...after, version: verdict.version } }];
  });
  const unknown = verdicts.some(({ outcome }) => outcome === "unknown") || verdicts.length === 0;
  const outcome = unknown ? "unknown" : made.length > 0 ? "done" : "not done";
  return {
    phase: "settled",
    id: record.id,
    time: new Date().toISOString(),
    outcome,
    changes: made,
    settled: true,
  };
}

interface Verdict {
  readonly outcome: "done" | "not done" | "unknown";
  /** The version that the file had then, of what was done. */
  readonly version?: string | undefined;
}

/** A change of one file, and the record that names it. */
interface Step {
  readonly id: string;
  readonly change: Change;
}

const NOT_DONE: Verdict = { outcome: "not done" };
const UNKNOWN: Verdict = { outcome: "unknown" };

async function verdictOf(
  files: FileAccess,
  own: Step,
  records: readonly JournalRecord[],
): Promise<Verdict> {
  const { before, after, path } = own.change;
  const others = records
    .filter(({ id }) => id !== own.id)
    .map(({ id, outcome, changes }) => ({
      id,
      outcome,
      change: changes.find((change) => change.path === path),
    }))
    .flatMap(({ id, outcome, change }) => (change === undefined ? [] : [{ id, outcome, change }]));
  const done = others.filter(({ outcome }) => outcome === "done");
  // A version never comes back, so only one change was made on it.
  if (done.some(({ change }) => isVersion(change.before, before))) return NOT_DONE;
  const next = done.find(({ id }) => id > own.id)?.change;
  const seen = next === undefined ? await stateNow(files, own.change) : stateThen(next, own.change);
  if (seen === undefined) return UNKNOWN;
  if (!seen.isAfter) return NOT_DONE;
  if (done.some(({ change }) => isVersion(change.after, seen))) return NOT_DONE;
  const open = others.filter(({ outcome }) => outcome === "open" || outcome === "unknown");
  const sameElsewhere = open.some(
    ({ change }) => sameSide(change.before, before) && sameSide(change.after, after),
  );
  return sameElsewhere ? UNKNOWN : { outcome: "done", version: seen.version };
}

/** A state of a file that is either the one before the change or the one after it. */
interface FoundState {
  readonly isAfter: boolean;
  readonly version?: string | undefined;
}

/** What the next recorded change of the file began with; `undefined` where that is neither. */
function stateThen(next: Change, { before, after }: Change): FoundState | undefined {
  if (sameSide(next.before, before)) return { isAfter: false };
  if (!sameSide(next.before, after)) return undefined;
  return { isAfter: true, version: next.before?.version };
}

/** What the file holds now; `undefined` where that is neither. */
async function stateNow(
  files: FileAccess,
  { path, before, after }: Change,
): Promise<FoundState | undefined> {
  const [file] = await lookAtAll(files, [path]);
  if (file === CLOSED) return undefined;
  // What is still in the version from before was not changed, also where it already held what was to be stored.
  if (isVersion(before, file)) return { isAfter: false };
  if (holds(file, after)) return { isAfter: true, version: file?.version };
  // The content from before in another version: it may never have left, or it has been put back.
  const returned = before?.version !== undefined && file?.version !== undefined;
  return holds(file, before) && !returned ? { isAfter: false } : undefined;
}

type Versioned = Pick<Side, "version"> | null | undefined;

function isVersion(a: Versioned, b: Versioned): boolean {
  return a?.version !== undefined && a.version === b?.version;
}

function sameSide(a: Side | null, b: Side | null): boolean {
  if (a === null || b === null) return a === b;
  return isVersion(a, b) || (a.hash !== undefined && a.hash === b.hash);
}

/** Calls that began this long ago without an end are not under way any more; a command may run for long. Milliseconds. */
const SETTLE_AFTER = { call: 60_000, command: 24 * 3_600_000 } as const;

/**
 * Returns whether a call that is open may still be under way somewhere.
 *
 * @param settleAfterMs Milliseconds after which none is. Default: a minute, and for a command a day.
 */
export function mayBeUnderWay({ id, method }: JournalRecord, settleAfterMs?: number): boolean {
  const after = settleAfterMs ?? SETTLE_AFTER[method === "execute" ? "command" : "call"];
  // A clock that was set back makes no call younger than new.
  return Math.max(0, Date.now() - timeOfId(id)) < after;
}
