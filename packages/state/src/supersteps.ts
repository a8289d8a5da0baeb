import type { FilesRecord } from "./file-data.js";
import { journalledOperations, withoutFailed } from "./journal.js";
import { noFilesField } from "./outbox.js";
import {
  committedFiles,
  configOf,
  FILES,
  type Checkpointer,
  type RunningTask,
} from "./running-graph.js";
import { Superstep } from "./superstep.js";

/** Lets go of supersteps that are over after this many have begun on one record. */
const SWEEP_AFTER = 64;

// All backends of a process share the supersteps: several may serve one graph. A superstep lives as long as a task of it.
const byTask = new WeakMap<RunningTask["send"], Superstep | Promise<Superstep>>();
const byStart = new WeakMap<
  FilesRecord,
  Map<string, WeakRef<{ step: Superstep | Promise<Superstep> }>>
>();
const holders = new WeakMap<RunningTask["send"], object>();
const tickNames = new WeakMap<object, number>();
let ticks = 0;

/**
 * The superstep that a task belongs to. A promise only where the run was resumed and the checkpointer has to be asked what
 * finished tasks left. Throws `unsupported` when the graph has no `files` field.
 */
export function superstepOf(task: RunningTask): Superstep | Promise<Superstep> {
  const known = byTask.get(task.send);
  if (known !== undefined) return known;
  const base = committedFiles(task.read);
  if (base === undefined) throw noFilesField();
  const { thread, namespace, id } = task.checkpoint;
  const name = JSON.stringify([thread, namespace, id, nameOf(task.tick)]);
  const started = startedOn(base);
  let holder = started.get(name)?.deref();
  if (holder === undefined) {
    holder = { step: begin(task, base) };
    sweep(started);
    started.set(name, new WeakRef(holder));
  }
  const { step } = holder;
  holders.set(task.send, holder);
  byTask.set(task.send, step);
  if (step instanceof Superstep) return step;
  step.then(
    (ready) => byTask.set(task.send, ready),
    () => {
      // The next call asks the checkpointer again.
      byTask.delete(task.send);
      started.delete(name);
    },
  );
  return step;
}

function begin(task: RunningTask, base: FilesRecord): Superstep | Promise<Superstep> {
  const step = new Superstep(task.checkpoint.id, base);
  const { checkpointer } = task;
  if (!task.resuming || task.replaying || checkpointer === undefined) return step;
  return restored(step, task, checkpointer);
}

async function restored(
  step: Superstep,
  task: RunningTask,
  checkpointer: Checkpointer,
): Promise<Superstep> {
  const tuple = await checkpointer.getTuple(configOf(task.checkpoint));
  const writes = tuple?.pendingWrites ?? [];
  step.restore(
    withoutFailed(writes)
      .filter(([, channel]) => channel === FILES)
      .map(([, , value]) => value),
    await journalledOperations(checkpointer, writes),
  );
  return step;
}

function startedOn(base: FilesRecord): NonNullable<ReturnType<typeof byStart.get>> {
  let started = byStart.get(base);
  if (started === undefined) {
    started = new Map();
    byStart.set(base, started);
  }
  return started;
}

function sweep(started: Map<string, WeakRef<object>>): void {
  if (started.size < SWEEP_AFTER) return;
  for (const [name, reference] of started)
    if (reference.deref() === undefined) started.delete(name);
}

function nameOf(tick: object | undefined): number {
  if (tick === undefined) return 0;
  let name = tickNames.get(tick);
  if (name === undefined) {
    name = ++ticks;
    tickNames.set(tick, name);
  }
  return name;
}
