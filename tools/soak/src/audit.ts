import { noFindings, type Findings } from "./findings.js";
import { readJournals, type Answer, type Entry } from "./journal.js";
import type { Place } from "./open-backend.js";
import { OwnFiles } from "./own-files.js";
import { SharedFiles } from "./shared-files.js";
import type { StorageName } from "./storage-name.js";
import { storedFiles } from "./stored-files.js";

/** How the calls of a storage were answered. */
export interface Tally {
  calls: number;
  done: number;
  refused: number;
  unknown: number;
  /** Under way when their process was killed. */
  cutOff: number;
  /** Calls that were `unavailable`, `timeout` or `aborted`. */
  failed: number;
  longestMs: number;
}

export interface Audit {
  readonly tallies: ReadonlyMap<StorageName, Tally>;
  readonly findings: Findings;
}

/** Of a call whose process was killed nothing is known. */
const CUT_OFF: Answer = { verdict: "unknown", ms: 0, limitMs: Infinity };
const FAILED = new Set(["unavailable", "timeout", "aborted"]);

/**
 * Follows every journal, and compares with what the plain clients read of each storage.
 *
 * @param killed Journals whose process was killed: only there a call may be without an answer.
 */
export async function audit(
  journals: string,
  places: readonly Place[],
  killed: ReadonlySet<string>,
): Promise<Audit> {
  const findings = noFindings();
  const tallies = new Map<StorageName, Tally>();
  const own = new Map<string, OwnFiles>();
  const shared = new Map<StorageName, SharedFiles>();
  const pending = new Map<string, Entry & { kind: "call" }>();

  const follow = ({ stream, storage, intent }: Entry & { kind: "call" }, answer: Answer): void => {
    const where = `${storage} ${stream}:`;
    const ofStream = own.get(where) ?? new OwnFiles(findings, where);
    own.set(where, ofStream);
    const ofAll = shared.get(storage) ?? new SharedFiles(findings, `${storage}:`);
    shared.set(storage, ofAll);
    if (intent.path.startsWith("/own/")) ofStream.follow(intent, answer);
    else ofAll.follow(intent, answer);
    count(tallies, storage, answer);
    if (answer.ms > answer.limitMs)
      findings.late.push(`${where} ${intent.op} ${intent.path} took ${answer.ms} ms`);
  };

  for await (const [file, entry] of readJournals(journals)) {
    if (entry.kind === "uncaught") {
      findings.uncaught.push(`${file}: ${entry.what}`);
      continue;
    }
    const key = `${file} ${entry.id}`;
    if (entry.kind === "call") {
      pending.set(key, entry);
      continue;
    }
    const call = pending.get(key);
    if (call === undefined) throw new Error(`${key} was answered without a call`);
    pending.delete(key);
    follow(call, entry.answer);
  }
  for (const [key, call] of pending) {
    const [file = ""] = key.split(" ");
    if (!killed.has(file.replace(/\.jsonl$/, "")))
      findings.late.push(`${call.storage} ${call.stream}: ${call.intent.op} was never answered`);
    follow(call, CUT_OFF);
  }
  for (const place of places) {
    const stored = await storedFiles(place);
    shared.get(place.storage)?.audit(stored);
    for (const [where, files] of own)
      if (where.startsWith(`${place.storage} `)) files.audit(stored);
  }
  return { tallies, findings };
}

function count(tallies: Map<StorageName, Tally>, storage: StorageName, answer: Answer): void {
  const none = { calls: 0, done: 0, refused: 0, unknown: 0, cutOff: 0, failed: 0, longestMs: 0 };
  const tally = tallies.get(storage) ?? none;
  tallies.set(storage, tally);
  tally.calls++;
  if (answer === CUT_OFF) tally.cutOff++;
  else tally[answer.verdict]++;
  if (FAILED.has(answer.code ?? "")) tally.failed++;
  tally.longestMs = Math.max(tally.longestMs, answer.ms);
}
