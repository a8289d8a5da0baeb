import type { AnyBackendProtocol } from "@fs/protocol";
import { comparePaths, quote } from "@fs/protocol/author";
import { pathFilter } from "../change-set.js";
import type { Change, ChangeSet } from "../change.js";
import type { BlobStore } from "../store/blob-store.js";
import { fileAccess } from "../store/file-access.js";
import { applyChange, type ApplyContext, readBack } from "./apply-change.js";
import type { IntentLog } from "./intent-log.js";
import { foresee } from "./foresee.js";
import { destinationsOf, inOrder } from "./order.js";
import { type ApplyReport, isDone, type PathReport } from "./report.js";

export interface ApplyOptions {
  /** Where the contents of the changes are kept. */
  readonly blobs: BlobStore;
  /** Makes it resumable: the set is stored before the first change, and what is done is marked. */
  readonly log?: IntentLog;
  /** Patterns of the paths to apply. Default: all. The others are not part of the report. */
  readonly only?: string | readonly string[];
  /** What becomes of a text that somebody else changed elsewhere: `"merge"` keeps both. Default `"refuse"`: a conflict. */
  readonly strategy?: "refuse" | "merge";
  /** Says what would become of each change, without a call that changes anything. Default `false`. */
  readonly dryRun?: boolean;
  /** Changes also what has no versions, after a look at its content. Default `false`: `refused`. */
  readonly allowUnguarded?: boolean;
  /** Takes content that is as before, but in another version, for a change by somebody else. Default `false`. */
  readonly exactVersions?: boolean;
  /** Reads back every file that was stored; the destination of a move is always read back. Default `false`. */
  readonly verify?: boolean;
  /** Changes under way at once. Default 8. */
  readonly concurrency?: number;
  /** Called with what became of some changes, once that is marked; awaited. */
  readonly settle?: (reports: readonly PathReport[]) => Promise<void>;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

/**
 * Applies a change set: each change one conditional call, in an order in which nothing is removed before what replaces it
 * is there. It is not atomic: some changes can be applied and others not, and the report says which.
 *
 * With `log`, the same call after a crash resumes: what is marked is not repeated, what may have happened is looked at, and
 * a file that is neither as before nor as after is a conflict, never overwritten.
 *
 * @returns One report per path. Throws a `VolumeError` when the log cannot be kept: `conflict` while another process
 * applies, `unavailable`.
 */
export async function applyChanges(
  backend: AnyBackendProtocol,
  set: ChangeSet,
  options: ApplyOptions,
): Promise<ApplyReport> {
  const selected = pathFilter(options.only);
  const chosen = { ...set, changes: set.changes.filter(({ path }) => selected(path)) };
  const run = new Run(backend, chosen, options);
  if (options.dryRun === true) return run.foresee();
  const { log, signal } = options;
  if (log === undefined) return run.apply(async () => true);
  const lease = await log.take(signal);
  try {
    const finished = await log.report(set.id, signal);
    if (finished !== undefined) {
      await log.finish(finished);
      return finished;
    }
    const open = await log.open(signal);
    if (open?.id === set.id) await run.resume(open, await log.marks(set.id, signal));
    else await log.freeze(chosen, signal);
    const report = await run.apply(() => lease.isHeld());
    if (signal?.aborted !== true && (await lease.isHeld())) await log.finish(report);
    return report;
  } finally {
    await lease.release();
  }
}

/** One application of a change set, from its first look to its report. */
class Run {
  #set: ChangeSet;
  readonly #options: ApplyOptions;
  #context: ApplyContext;
  readonly #reports = new Map<string, PathReport>();
  #destinations: ReadonlyMap<string, Change>;
  #origins: ReadonlySet<string>;

  constructor(backend: AnyBackendProtocol, set: ChangeSet, options: ApplyOptions) {
    this.#set = set;
    this.#options = options;
    this.#destinations = destinationsOf(set.changes);
    this.#origins = new Set(set.changes.map(({ path }) => path));
    this.#context = {
      files: fileAccess(backend),
      blobs: options.blobs,
      merge: options.strategy === "merge",
      allowUnguarded: options.allowUnguarded ?? false,
      exactVersions: options.exactVersions ?? false,
      verify: options.verify ?? false,
      signal: options.signal,
    };
  }

  /** Goes on where a crash ended. What was tried without a mark is only taken as it is, or is a conflict. */
  async resume(frozen: ChangeSet, marks: ReadonlyMap<string, PathReport>): Promise<void> {
    this.#set = frozen;
    this.#destinations = destinationsOf(frozen.changes);
    this.#origins = new Set(frozen.changes.map(({ path }) => path));
    this.#context = { ...this.#context, exactVersions: true };
    const settled = [...marks.values()].filter(
      ({ status }) => status !== "failed" && status !== "skipped",
    );
    for (const report of settled) this.#reports.set(report.path, report);
    await this.#options.settle?.(settled);
  }

  async foresee(): Promise<ApplyReport> {
    for (const change of this.#set.changes)
      this.#reports.set(change.path, await foresee(this.#context, change));
    return this.#report();
  }

  async apply(mayGoOn: () => Promise<boolean>): Promise<ApplyReport> {
    const { concurrency = 8, signal } = this.#options;
    const waiting = this.#set.changes.filter(({ path }) => !this.#reports.has(path));
    for (const phase of inOrder(waiting)) {
      for (let from = 0; from < phase.length; from += concurrency) {
        if (signal?.aborted === true || !(await mayGoOn())) return this.#report();
        await this.#applySome(phase.slice(from, from + concurrency));
      }
    }
    return this.#report();
  }

  async #applySome(changes: readonly Change[]): Promise<void> {
    const { log, settle, onProgress } = this.#options;
    const reports = await Promise.all(changes.map((change) => this.#applyOne(change)));
    await log?.mark(this.#set.id, reports);
    await settle?.(reports);
    for (const report of reports) this.#reports.set(report.path, report);
    onProgress?.({ done: this.#reports.size, total: this.#set.changes.length });
  }

  async #applyOne(change: Change): Promise<PathReport> {
    const waitsFor = this.#destinations.get(change.path);
    if (waitsFor !== undefined) {
      const arrived = this.#reports.get(waitsFor.path);
      if (arrived === undefined || !isDone(arrived)) return notMoved(change, waitsFor);
    }
    const report = await applyChange(this.#context, change);
    const moved = change.from !== undefined && this.#origins.has(change.from);
    if (!moved || report.status !== "applied" || change.after === null || this.#context.verify)
      return report;
    const read = await readBack(this.#context, change.path, report.merged ?? change.after);
    return read.status === "applied" ? report : read;
  }

  #report(): ApplyReport {
    const paths = this.#set.changes.map(
      ({ path }) => this.#reports.get(path) ?? notTried(path, this.#options.signal),
    );
    return {
      id: this.#set.id,
      complete: paths.every(isDone),
      paths: paths.toSorted((a, b) => comparePaths(a.path, b.path)),
    };
  }
}

function notMoved({ path }: Change, { path: to }: Change): PathReport {
  const detail = `${quote(path)} stays, because ${quote(to)}, where its content goes, is not in place.`;
  return { path, status: "skipped", detail };
}

function notTried(path: string, signal: AbortSignal | undefined): PathReport {
  return signal?.aborted === true
    ? {
        path,
        status: "skipped",
        code: "aborted",
        detail: "The call was aborted before this change.",
      }
    : { path, status: "skipped", detail: "Another process took over before this change." };
}
