import {
  applyChanges,
  type ApplyReport,
  type Change,
  type ChangeSet,
  type IntentLog,
  isDone,
  together,
} from "@fs/changes";
import { appearedFiles } from "./appeared-files.js";
import type { Layers } from "./layers.js";
import { settleApplied } from "./settle.js";
import { stillStaged } from "./still-staged.js";
import { stagedChanges } from "./staged-changes.js";

export interface CommitOptions {
  /** Patterns of the paths to commit; the others stay staged. Default: all. */
  readonly only?: string | readonly string[];
  /** What becomes of a text that somebody else changed elsewhere: `"merge"` keeps both. Default `"refuse"`: a conflict. */
  readonly strategy?: "refuse" | "merge";
  /** Says what would become of each path, and changes nothing. Default `false`. */
  readonly dryRun?: boolean;
  /** Commits also into a base without versions, after a look at the content. Default `false`: `refused`. */
  readonly allowUnguarded?: boolean;
  /** Called with how many changes are done. What it throws is a warning of the process. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

/** What became of a commit. */
export interface CommitReport extends ApplyReport {
  /** Files that appeared in a directory of the base after it was removed here. They stay. */
  readonly appeared: readonly string[];
}

/**
 * Writes staged changes into the base. What an earlier commit began is finished first, as far as it is still staged and
 * chosen; a path that it left as a conflict is not tried again in the same call.
 */
export async function commitStaged(
  layers: Layers,
  log: IntentLog,
  options: CommitOptions,
): Promise<CommitReport> {
  const { only, dryRun = false, signal } = options;
  const overlay = await layers.upper.below("/", signal);
  const appeared = await appearedFiles(layers, overlay, only, signal);
  const open = await log.open(signal);
  const resumed = open === undefined ? undefined : await applied(layers, log, open, options);
  // What is done is staged no more, except where nothing was done.
  const tried = resumed?.paths.filter((path) => dryRun || !isDone(path));
  const left = new Set(tried?.map(({ path }) => path));
  const seen = resumed === undefined || dryRun ? overlay : undefined;
  const staged = await stagedChanges(layers, only, signal, seen);
  const fresh = { ...staged, changes: staged.changes.filter(({ path }) => !left.has(path)) };
  if (resumed !== undefined && fresh.changes.length === 0) return { ...resumed, appeared };
  const report = await applied(layers, log, fresh, options);
  return { ...(resumed === undefined ? report : together(resumed, report)), appeared };
}

async function applied(
  layers: Layers,
  log: IntentLog,
  set: ChangeSet,
  { only, strategy, dryRun = false, allowUnguarded, onProgress, signal }: CommitOptions,
): Promise<ApplyReport> {
  if (set.changes.length === 0) return { id: set.id, complete: true, paths: [] };
  const changes = new Map<string, Change>(set.changes.map((change) => [change.path, change]));
  return applyChanges(layers.base.files.backend, set, {
    blobs: layers.upper.blobs,
    log,
    dryRun,
    stillWanted: (frozen) => stillStaged(layers, frozen, signal),
    settle: (reports) => settleApplied(layers, changes, reports),
    // What was not tried stays staged, and is frozen anew by the next commit.
    endAtAbort: true,
    ...(only !== undefined && { only }),
    ...(strategy && { strategy }),
    ...(allowUnguarded && { allowUnguarded }),
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  });
}
