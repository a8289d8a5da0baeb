import { refuseMalformed } from "./check-updates.js";
import type { FilesRecord } from "./file-data.js";
import { isHandedOver, markHandedOver } from "./handed-over.js";
import {
  contentOf,
  mergeFiles,
  replay,
  type FilesUpdate,
  type Operation,
  type OperationBatch,
} from "./operations.js";
import { rememberTree, treeOf } from "./trees.js";

/** What the `files` channel is sent: a plain record, the operations of a task, or nothing. */
export type FilesInput = FilesUpdate | OperationBatch | undefined;

let overheard: unknown[] | undefined;

/**
 * What the reducers of this package are handed while `read` runs; `undefined` if they are not called at all. The updates
 * are not applied, so that this costs nothing whatever the files.
 */
export function overhear(read: () => unknown): readonly unknown[] | undefined {
  const updates: unknown[] = [];
  overheard = updates;
  try {
    read();
  } finally {
    overheard = undefined;
  }
  return updates.length === 0 ? undefined : updates;
}

/**
 * Folds the updates of any number of supersteps into the files. The operations of one superstep are replayed in the
 * order in which they were acknowledged, whichever task sent them; plain records merge in the order in which they come.
 */
export function reduceFiles(
  current: FilesRecord | undefined,
  updates: readonly FilesInput[],
): FilesRecord {
  if (overheard !== undefined) {
    overheard.push(...updates);
    return current ?? {};
  }
  const base = current ?? {};
  const tree = treeOf(base).fork();
  let loose: FilesUpdate = {};
  for (const turn of turnsOf(updates)) {
    if (Array.isArray(turn)) for (const operation of turn) replay(tree, operation);
    else loose = { ...loose, ...mergeFiles(tree, turn) };
  }
  const record = recordOf(base, [...tree.changes(), ...Object.entries(loose)]);
  if (record === base) return base;
  rememberTree(record, tree.settle(record));
  if (isHandedOver(base) || updates.some(isRecord)) markHandedOver(record);
  return record;
}

function isRecord(update: FilesInput): boolean {
  return update !== undefined && update !== null && contentOf(update) === undefined;
}

/** Operations in order, or a plain record, as they take their turn. */
function turnsOf(updates: readonly FilesInput[]): Array<Operation[] | FilesUpdate> {
  const turns: Array<Operation[] | FilesUpdate> = [];
  const steps = new Map<string, Operation[]>();
  for (const update of updates) {
    if (update === undefined || update === null) continue;
    refuseMalformed(update);
    const batch = contentOf(update);
    if (batch === undefined) {
      turns.push(update as FilesUpdate);
      continue;
    }
    let operations = steps.get(batch.step);
    if (operations === undefined) {
      operations = [];
      steps.set(batch.step, operations);
      turns.push(operations);
    }
    for (const operation of batch.operations) operations.push(operation);
  }
  for (const operations of steps.values()) operations.sort((a, b) => a.n - b.n);
  return turns;
}

function recordOf(
  base: FilesRecord,
  changes: ReadonlyArray<readonly [string, FilesRecord[string] | null]>,
): FilesRecord {
  if (changes.length === 0) return base;
  const record = { ...base };
  for (const [key, file] of changes) {
    if (file === null) delete record[key];
    else record[key] = file;
  }
  return record;
}

interface Origin {
  readonly base: FilesRecord;
  readonly updates: readonly FilesInput[];
}

/** Far more than the tasks of a superstep; keeps a thread of nothing but plain records from growing for ever. */
const MAX_UPDATES_OF_A_STEP = 1000;

const origins = new WeakMap<FilesRecord, Origin>();

/**
 * As {@link reduceFiles} for channels that hand over one update at a time. The updates of a superstep are folded anew with
 * each that follows, because one that comes later may hold operations that were acknowledged earlier.
 */
export function reduceFilesOneByOne(
  current: FilesRecord | undefined,
  update: FilesInput,
): FilesRecord {
  if (overheard !== undefined) return reduceFiles(current, [update]);
  const base = current ?? {};
  const origin = origins.get(base);
  const continued = origin !== undefined && sharesStep(origin.updates, update);
  const next: Origin = continued
    ? { base: origin.base, updates: [...origin.updates, update] }
    : { base, updates: [update] };
  // Once another superstep begins, nothing continues the one before; kept, each record would keep all before it.
  if (!continued) origins.delete(base);
  const record = reduceFiles(next.base, next.updates);
  if (record !== next.base) origins.set(record, next);
  return record;
}

/** Plain records stay within their superstep only between operations of it, where their turn matters. */
function sharesStep(updates: readonly FilesInput[], update: FilesInput): boolean {
  const step = contentOf(update)?.step;
  if (updates.length >= MAX_UPDATES_OF_A_STEP) return false;
  if (step === undefined) return updates.some((earlier) => contentOf(earlier) !== undefined);
  return updates.some((earlier) => contentOf(earlier)?.step === step);
}
