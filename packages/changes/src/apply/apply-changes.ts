import type { AnyBackendProtocol } from "@fs/protocol";
import { pathFilter } from "../change-set.js";
import type { Change, ChangeSet } from "../change.js";
import type { BlobStore } from "../store/blob-store.js";
import { ApplyRun } from "./apply-run.js";
import type { IntentLog } from "./intent-log.js";
import type { Lease } from "./lease.js";
import { type ApplyReport, isSettled, type PathReport, together } from "./report.js";

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
  /**
   * Called with changes that are about to be made, once they are stored in the log; answers the paths of those that are still
   * wanted. The others are left out, and are part of the report only where a crash may have left their content in place, and
   * it is there. Default: all.
   */
  readonly stillWanted?: (changes: readonly Change[]) => Promise<ReadonlySet<string>>;
  /** Ends the change set when the call is aborted, so that the log is free. Default `false`: the same call resumes it. */
  readonly endAtAbort?: boolean;
  /** Called with what became of some changes, once that is marked; awaited. */
  readonly settle?: (reports: readonly PathReport[]) => Promise<void>;
  /** Called with how many changes are done. What it throws is a warning of the process. */
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
  const isChosen = ({ path }: { readonly path: string }): boolean => selected(path);
  const chosen = { ...set, changes: set.changes.filter(isChosen) };
  const run = new ApplyRun(backend, chosen, options);
  const { log, signal } = options;
  if (options.dryRun === true) {
    const open = await log?.open(signal);
    if (log !== undefined && open?.id === set.id)
      await run.resume(open, await log.marks(set.id, signal));
    return run.foresee();
  }
  if (log === undefined) return run.apply(async () => true);
  const lease = await log.take(signal);
  try {
    const kept = await log.report(set.id, signal);
    const open = await log.open(signal);
    if (kept !== undefined && answers(kept, chosen.changes)) {
      if (open?.id === set.id && answers(kept, open.changes)) await log.finish(kept);
      return together({ ...kept, paths: [] }, { ...kept, paths: kept.paths.filter(isChosen) });
    }
    if (open?.id !== set.id) return await begin(run, log, lease, options);
    await run.resume(open, await log.marks(set.id, signal));
    const resumed = await end(run, log, lease, options);
    // What another call with this set was to leave out was not frozen with the rest.
    const frozen = new Set(open.changes.map(({ path }) => path));
    const others = chosen.changes.filter(({ path }) => !frozen.has(path));
    if (others.length === 0 || !(await mayEnd(lease, options))) return resumed;
    const rest = new ApplyRun(backend, { ...set, changes: others }, options);
    return together(resumed, await begin(rest, log, lease, options));
  } finally {
    await lease.release();
  }
}

async function begin(
  run: ApplyRun,
  log: IntentLog,
  lease: Lease,
  options: ApplyOptions,
): Promise<ApplyReport> {
  await log.freeze(run.set, options.signal);
  await run.leaveOutUnwanted();
  return end(run, log, lease, options);
}

async function end(
  run: ApplyRun,
  log: IntentLog,
  lease: Lease,
  options: ApplyOptions,
): Promise<ApplyReport> {
  const report = await run.apply(() => lease.isHeld());
  if (await mayEnd(lease, options)) await log.finish(report);
  return report;
}

/** Returns whether nothing is left for the same call to resume. */
async function mayEnd(
  lease: Lease,
  { signal, endAtAbort = false }: ApplyOptions,
): Promise<boolean> {
  return (signal?.aborted !== true || endAtAbort) && lease.isHeld();
}

/** Returns whether a report is final about these changes. */
function answers({ paths }: ApplyReport, changes: readonly Change[]): boolean {
  const settled = new Set(paths.filter(isSettled).map(({ path }) => path));
  return changes.every(({ path }) => settled.has(path));
}
