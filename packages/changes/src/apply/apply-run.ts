import type { AnyBackendProtocol } from "@fs/protocol";
import { comparePaths, guardListener, quote } from "@fs/protocol/author";
import { pathFilter } from "../change-set.js";
import type { Change, ChangeSet } from "../change.js";
import { fileAccess } from "../store/file-access.js";
import { applyChange, type ApplyContext, isAs, readArrived } from "./apply-change.js";
import type { ApplyOptions } from "./apply-changes.js";
import { foresee } from "./foresee.js";
import { destinationsOf, inOrder } from "./order.js";
import { type ApplyReport, isDone, isSettled, type PathReport } from "./report.js";

/** One application of a change set, from its first look to its report. */
export class ApplyRun {
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

  /**
   * Goes on where a crash ended. What was tried without a mark is only taken as it is, or is a conflict. What is not chosen, or
   * not wanted any more, is not made; it is only looked at, because it may have been made before the crash.
   */
  async resume(frozen: ChangeSet, marks: ReadonlyMap<string, PathReport>): Promise<void> {
    const { only, settle, dryRun } = this.#options;
    this.#context = { ...this.#context, exactVersions: true };
    const settled = frozen.changes
      .map(({ path }) => marks.get(path))
      .filter((mark) => mark !== undefined)
      .filter(isSettled);
    for (const report of settled) this.#reports.set(report.path, report);
    if (dryRun !== true) await settle?.(settled);
    const selected = pathFilter(only);
    const waiting = frozen.changes.filter(({ path }) => !this.#reports.has(path));
    const wanted = await this.#wantedOf(waiting.filter(({ path }) => selected(path)));
    const made = waiting
      .filter(({ path }) => !wanted.has(path))
      .map((change) => this.#ifMade(change));
    const there = (await Promise.all(made)).filter((report) => report !== undefined);
    for (const report of there) this.#reports.set(report.path, report);
    if (dryRun !== true) await settle?.(there);
    this.#take(frozen, ({ path }) => wanted.has(path) || this.#reports.has(path));
  }

  /** Leaves out what is not wanted any more of a set that was just stored. */
  async leaveOutUnwanted(): Promise<void> {
    const wanted = await this.#wantedOf(this.#set.changes);
    if (wanted.size < this.#set.changes.length)
      this.#take(this.#set, ({ path }) => wanted.has(path));
  }

  async #wantedOf(changes: readonly Change[]): Promise<ReadonlySet<string>> {
    const { stillWanted } = this.#options;
    return (await stillWanted?.(changes)) ?? new Set(changes.map(({ path }) => path));
  }

  /** What a change that may have been made has left; `undefined` where its file is not as it leads to. */
  async #ifMade({ path, after }: Change): Promise<PathReport | undefined> {
    const file = await this.#context.files.get(path, this.#options.signal);
    return isAs(file, after) ? { path, status: "already", version: file?.version } : undefined;
  }

  #take(set: ChangeSet, isMeant: (change: Change) => boolean): void {
    this.#set = { ...set, changes: set.changes.filter(isMeant) };
    this.#destinations = destinationsOf(this.#set.changes);
    this.#origins = new Set(this.#set.changes.map(({ path }) => path));
  }

  /** The changes of this run. */
  get set(): ChangeSet {
    return this.#set;
  }

  async foresee(): Promise<ApplyReport> {
    for (const phase of inOrder(this.#waiting()))
      for (const change of phase)
        this.#reports.set(
          change.path,
          this.#notMoved(change) ?? (await foresee(this.#context, change)),
        );
    return this.#report();
  }

  #waiting(): Change[] {
    return this.#set.changes.filter(({ path }) => !this.#reports.has(path));
  }

  async apply(mayGoOn: () => Promise<boolean>): Promise<ApplyReport> {
    const { concurrency = 8, signal } = this.#options;
    for (const phase of inOrder(this.#waiting())) {
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
    const progress = { done: this.#reports.size, total: this.#set.changes.length };
    guardListener(() => onProgress?.(progress));
  }

  async #applyOne(change: Change): Promise<PathReport> {
    const waits = this.#notMoved(change);
    if (waits !== undefined) return waits;
    const report = await applyChange(this.#context, change);
    const moved = change.from !== undefined && this.#origins.has(change.from);
    if (!moved || report.status !== "applied" || change.after === null || this.#context.verify)
      return report;
    const read = await readArrived(this.#context, change.path, report.merged ?? change.after);
    return read.status === "applied" ? report : read;
  }

  /** Of a file whose content goes somewhere, that it has to stay, where it has not arrived. */
  #notMoved(change: Change): PathReport | undefined {
    const waitsFor = this.#destinations.get(change.path);
    const arrived = waitsFor && this.#reports.get(waitsFor.path);
    if (waitsFor === undefined || (arrived !== undefined && isDone(arrived))) return undefined;
    return notMoved(change, waitsFor);
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
