import { VolumeBackend, type VolumeBackendOptions } from "@fs/protocol";
import type { FileFormat } from "./file-data.js";
import { runningTask, type RunningTask } from "./running-graph.js";
import { StagedFiles } from "./staged-files.js";
import { StateVolume, type Workspace } from "./state-volume.js";
import type { Superstep } from "./superstep.js";
import { superstepOf } from "./supersteps.js";

export interface StateBackendOptions extends VolumeBackendOptions {
  /** The form in which files are written: strings (`"v2"`, default), or arrays of lines for older readers (`"v1"`). */
  fileFormat?: FileFormat;
}

/**
 * Files in the `files` field of the running graph's state: they persist with the thread through its checkpointer, and
 * every agent of the run shares them.
 *
 * Outside a run, changes are staged, and the first call inside one brings them along.
 *
 * @example
 * const backend = new StateBackend();
 */
export class StateBackend extends VolumeBackend {
  constructor(options: StateBackendOptions = {}) {
    const staged = new StagedFiles();
    super(new StateVolume(() => open(staged), options.fileFormat ?? "v2"), options);
  }
}

function open(staged: StagedFiles): Workspace | Promise<Workspace> {
  const task = runningTask();
  if (task === undefined) return staged;
  const step = superstepOf(task);
  return step instanceof Promise
    ? step.then((ready) => within(ready, task, staged))
    : within(step, task, staged);
}

function within(step: Superstep, task: RunningTask, staged: StagedFiles): Workspace {
  for (const change of staged.take()) {
    step.viewOf(task);
    step.acknowledge(task, change);
  }
  return {
    view: () => step.viewOf(task),
    acknowledge: (change) => step.acknowledge(task, change),
  };
}
