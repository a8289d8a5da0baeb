import { configurableValues, runningTask, type RunningTask } from "./running-graph.js";

/** The entry of `configurable` that a subagent finds its caller's files under. */
export const SHARED = "__fs_shared_files";

/** The task on whose files a subagent works. Only this module makes one, so that nothing else is taken for it. */
export class SharedOwner {
  readonly task: RunningTask;

  constructor(task: RunningTask) {
    this.task = task;
  }

  /** Nothing of a running task belongs in a log or a checkpoint's metadata. */
  toJSON(): undefined {
    return undefined;
  }
}

/** Who works on files: the task that a call comes from, and the task whose superstep holds them. */
export interface Actor {
  readonly task: RunningTask;
  /** The task itself, or the caller that shares its files with the graph of this task. */
  readonly owner: RunningTask;
}

/** Who a call comes from, or `undefined` outside a graph. */
export function currentActor(): Actor | undefined {
  const task = runningTask();
  if (task === undefined) return undefined;
  const shared = configurableValues()?.[SHARED];
  if (!(shared instanceof SharedOwner)) return { task, owner: task };
  return { task, owner: isSame(shared.task, task) ? task : shared.task };
}

/** Retries of a task share what identifies it, but not whether they resume. */
function isSame(owner: RunningTask, task: RunningTask): boolean {
  return owner.send === task.send;
}

/** Returns whether a task works on the files of another. */
export function isShared({ task, owner }: Actor): boolean {
  return task !== owner;
}
