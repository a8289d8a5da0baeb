import type { Change, FileAccess } from "@fs/changes";
import { holds } from "./mutate-file.js";
import { type EndEntry, type JournalRecord, timeOfId } from "./record.js";

/**
 * What became of a call whose end was never recorded, by what is known now: the next recorded change of each file, else
 * what the file holds. Where neither is as before or as after, it is `unknown`; nothing is guessed.
 */
export async function settleRecord(
  files: FileAccess,
  record: JournalRecord,
  later: readonly JournalRecord[],
): Promise<EndEntry> {
  const verdicts = await Promise.all(
    record.changes.map((change) => verdictOf(files, change, later)),
  );
  const made = record.changes.filter((_, index) => verdicts[index] === "done");
  const outcome =
    verdicts.includes("unknown") || verdicts.length === 0
      ? "unknown"
      : made.length > 0
        ? "done"
        : "not done";
  return {
    phase: "end",
    id: record.id,
    time: new Date().toISOString(),
    outcome,
    changes: made,
    settled: true,
  };
}

type Verdict = "done" | "not done" | "unknown";

async function verdictOf(
  files: FileAccess,
  change: Change,
  later: readonly JournalRecord[],
): Promise<Verdict> {
  const next = later
    .filter(({ outcome }) => outcome === "done")
    .flatMap(({ changes }) => changes)
    .find(({ path }) => path === change.path);
  if (next !== undefined) {
    if (sameSide(next.before, change.before)) return "not done";
    return sameSide(next.before, change.after) ? "done" : "unknown";
  }
  const file = await files.get(change.path);
  // What is still in the version from before was not changed, also where it already held what was to be stored.
  if (change.before?.version !== undefined && file?.version === change.before.version)
    return "not done";
  if (holds(file, change.after)) return "done";
  return holds(file, change.before) ? "not done" : "unknown";
}

function sameSide(a: Change["before"], b: Change["before"]): boolean {
  if (a === null || b === null) return a === b;
  if (a.version !== undefined && a.version === b.version) return true;
  return a.hash !== undefined && a.hash === b.hash;
}

/** Tells whether a call that is open may still be under way somewhere. */
export function mayBeUnderWay({ id }: JournalRecord, settleAfterMs: number): boolean {
  return Date.now() - timeOfId(id) < settleAfterMs;
}
