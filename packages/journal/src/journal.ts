import {
  applyChanges,
  type ApplyReport,
  type Change,
  changeSet,
  pathFilter,
  type PathReport,
} from "@fs/changes";
import type { Outcome } from "@fs/protocol";
import {
  canonicalFilePath,
  comparePaths,
  failureFromThrown,
  quote,
  VolumeError,
} from "@fs/protocol/author";
import { type BlamedLine, blameLines } from "./blame.js";
import { followed, historyOf } from "./history.js";
import { changesOf, type JournalRecord, recordsOf } from "./record.js";
import { type RecordSelector, selectorFilter } from "./record-selector.js";
import type { Intent, Recorder } from "./recorder.js";
import { prune, redact, type RetentionPolicy } from "./retention.js";
import { mayBeUnderWay, settleRecord } from "./settle.js";
import { chainsOf, undoPlan } from "./undo.js";

/** What an undo did. */
export interface UndoReport extends ApplyReport {
  /** The record of the undo itself: undoing that one is a redo. Absent where there was nothing to do. */
  readonly record?: string;
}

export interface HistoryOptions {
  readonly signal?: AbortSignal;
}

/**
 * What was recorded of a backend's changes, and what can be done with it. No method throws. Records are the caller's own: they
 * are copied, because a store may remember the entries that they are made of.
 */
export class Journal {
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * All records, oldest first, or those of one file, followed over its moves. Fails with `invalid_path`, `unavailable`.
   */
  async history(
    path?: string,
    options: HistoryOptions = {},
  ): Promise<Outcome<{ records: JournalRecord[] }>> {
    return answered(path, async () => {
      const records = await this.#records(undefined, options.signal);
      if (path === undefined) return { records: structuredClone(records) };
      const steps = historyOf(records, canonical(path));
      return { records: structuredClone(steps.map(({ record }) => record)) };
    });
  }

  /** Who wrote each line of a text. Fails with `not_found`, `not_text`, `unavailable` where contents were not kept. */
  async blame(path: string): Promise<Outcome<{ lines: BlamedLine[] }>> {
    return answered(path, async () => {
      const at = canonical(path);
      const { files, store } = this.#recorder;
      const file = await files.get(at);
      if (file === undefined) throw new VolumeError("not_found");
      const own = structuredClone(historyOf(await this.#records(), at));
      const chain = chainsOf(own.map((step) => followed(step, at))).get(at);
      const lines = await blameLines(store.blobs, chain ?? { path: at, changes: [] }, file.bytes);
      if (lines === undefined)
        throw new VolumeError(
          "not_text",
          `${quote(path)} is no text, or its contents were not kept.`,
        );
      return { lines };
    });
  }

  /**
   * Takes recorded changes back, each file by a conditional call: what was changed since is a conflict and stays. The undo
   * is a record of its own. Fails with `invalid_argument` for a selector that names nothing, `not_found`, `unavailable`.
   */
  async undo(selector: RecordSelector): Promise<Outcome<UndoReport>> {
    return answered("/", async () => {
      const selected = selectorFilter(selector);
      const records = await this.#records();
      const chosen = records.filter(selected);
      if (chosen.length === 0) throw new VolumeError("not_found", "No recorded change fits.");
      const only = pathFilter(selector.only);
      const plan = undoPlan(chosen);
      const changes = plan.changes.filter(({ path }) => only(path));
      const undoes = chosen.filter(({ outcome }) => outcome === "done").map(({ id }) => id);
      const left = [
        ...plan.interrupted.filter(only).map(interruption),
        ...plan.uncertain.filter(only).map(uncertainty),
      ];
      const { complete, paths, ...report } = await this.#apply("undo", changes, undoes);
      return {
        ...report,
        complete: complete && left.length === 0 && plan.known,
        paths: [...paths, ...left].toSorted((one, other) => comparePaths(one.path, other.path)),
      };
    });
  }

  /** Takes an undo back. As `undo({ record })`. */
  async redo(record: string): Promise<Outcome<UndoReport>> {
    return this.undo({ record });
  }

  /** Files as they were at a time, as far as the journal saw them change since. As `undo` otherwise. */
  async restoreTo(time: string, only?: string | readonly string[]): Promise<Outcome<UndoReport>> {
    return this.undo({ since: time, ...(only === undefined ? {} : { only }) });
  }

  /**
   * Settles the calls whose end was never recorded, `olderThanMs` after they began; by default a minute, and for a command a
   * day. Returns how each ended. A call that ends later all the same has the end that it was answered with.
   */
  async settle(olderThanMs?: number): Promise<Outcome<{ records: JournalRecord[] }>> {
    return answered("/", async () => {
      const before = recordsOf(await this.#recorder.store.read({}));
      const open = new Set(before.filter(({ outcome }) => outcome === "open").map(({ id }) => id));
      const records = await this.#settled(before, olderThanMs);
      const found = records.filter(({ id, outcome }) => open.has(id) && outcome !== "open");
      return { records: structuredClone(found) };
    });
  }

  /** Drops old records and the contents that only they had. Fails with `unavailable`. */
  async prune(policy: RetentionPolicy): Promise<Outcome<{ records: number; contents: number }>> {
    return answered("/", () => prune(this.#recorder.store, policy));
  }

  /**
   * Removes the contents of a record from the journal, whichever other records name them; the records stay. What names one of
   * them can then neither be undone nor blamed. Fails with `unavailable`.
   */
  async redact(record: string): Promise<Outcome<{ contents: number }>> {
    return answered("/", async () => ({ contents: await redact(this.#recorder.store, record) }));
  }

  async #apply(
    method: string,
    changes: readonly Change[],
    undoes: readonly string[],
  ): Promise<UndoReport> {
    const set = changeSet(changes);
    if (changes.length === 0) return { id: set.id, complete: true, paths: [] };
    const recorder = this.#recorder;
    const { backend } = recorder.files;
    const { blobs } = recorder.store;
    const intent: Intent = { method, changes, exact: true, contents: [], undoes };
    return recorder.around(intent, async (record) => {
      const report = await applyChanges(backend, set, { blobs, exactVersions: true });
      if (report.paths.every(({ status }) => status !== "failed"))
        await recorder.end(record, { outcome: "done", changes: madeBy(changes, report) });
      return { ...report, record };
    });
  }

  async #records(since?: number, signal?: AbortSignal): Promise<JournalRecord[]> {
    return this.#settled(recordsOf(await this.#recorder.store.read({ since, signal })));
  }

  async #settled(records: JournalRecord[], olderThanMs?: number): Promise<JournalRecord[]> {
    const { files, store, underWay } = this.#recorder;
    const settled = [...records];
    for (let index = settled.length - 1; index >= 0; index--) {
      const record = settled[index];
      if (record?.outcome !== "open" || underWay.has(record.id)) continue;
      if (mayBeUnderWay(record, olderThanMs)) continue;
      const end = await settleRecord(files, record, settled);
      await store.append([end], []);
      const changes = changesOf(record, end);
      settled[index] = { ...record, outcome: end.outcome, changes, settled: true };
    }
    return settled;
  }
}

function madeBy(changes: readonly Change[], report: ApplyReport): Change[] {
  const reports = new Map(report.paths.map((one) => [one.path, one]));
  return changes.flatMap((change): Change[] => {
    const made = reports.get(change.path);
    // What was there already is not this undo's doing.
    if (made?.status !== "applied") return [];
    const { after } = change;
    return [{ ...change, after: after && { ...after, version: made.version } }];
  });
}

function interruption(path: string): PathReport {
  const detail = `${quote(path)} was changed by others between these changes, so none of them is taken back.`;
  return { path, status: "conflict", code: "conflict", detail };
}

function uncertainty(path: string): PathReport {
  const detail = `It is not known yet whether ${quote(path)} was changed, so nothing was done with it. Look at it.`;
  return { path, status: "failed", code: "unavailable", detail };
}

function canonical(path: string): string {
  const result = canonicalFilePath(path);
  if (result.failure !== undefined)
    throw new VolumeError(result.failure.code, result.failure.error);
  return result.path;
}

/** The answer of a call, or its failure. */
async function answered<T extends object>(
  path: unknown,
  task: () => Promise<T>,
): Promise<Outcome<T>> {
  try {
    return { ...(await task()) };
  } catch (error) {
    const known =
      error instanceof TypeError ? new VolumeError("invalid_argument", error.message) : error;
    return failureFromThrown(known, path);
  }
}
