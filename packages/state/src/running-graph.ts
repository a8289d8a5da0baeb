import { getConfig } from "@langchain/langgraph";
import type { FilesRecord } from "./file-data.js";

/** The channel of the state that holds the files. */
export const FILES = "files";

/** LangGraph's own names for what a task is given. `deepagents` rests on the same two. */
const SEND = "__pregel_send";
const READ = "__pregel_read";

type Send = (writes: Array<[channel: string, value: unknown]>) => void;
type Read = (channel: string, fresh: boolean) => unknown;

/** Progress of a task through its interrupts, as LangGraph keeps it. */
interface Scratchpad {
  readonly interruptCounter: number;
  readonly resume: readonly unknown[];
}

/** What a task left with a checkpoint. */
export type PendingWrite = [task: string, channel: string, value: unknown];

/** Names a checkpoint, or the latest of a namespace. */
export interface CheckpointConfig {
  configurable: { thread_id: string; checkpoint_ns: string; checkpoint_id?: string };
}

/** What keeps checkpoints, with the writes that finished tasks left. */
export interface Checkpointer {
  getTuple(
    config: CheckpointConfig,
  ): Promise<{ config: CheckpointConfig; pendingWrites?: PendingWrite[] } | undefined>;
  putWrites(
    config: CheckpointConfig,
    writes: Array<[channel: string, value: unknown]>,
    task: string,
  ): Promise<void>;
  getDeltaChannelHistory(options: {
    config: CheckpointConfig;
    channels: string[];
  }): Promise<Record<string, { writes: PendingWrite[] } | undefined>>;
}

/** The task of a running graph that a call comes from. */
export interface RunningTask {
  /** The same in every run that does this task of a checkpoint. */
  readonly id: string;
  /** Identifies the task's execution: a new one for every run, the same for its retries. */
  readonly send: Send;
  readonly read: Read;
  readonly scratchpad: Scratchpad | undefined;
  /** True in the first superstep of a resumed run, and in a task that is being retried. */
  readonly resuming: boolean;
  /** True where an earlier checkpoint is run again: what its tasks left the first time does not count. */
  readonly replaying: boolean;
  readonly checkpointer: Checkpointer | undefined;
  /** Where the superstep starts from. */
  readonly checkpoint: { readonly thread: string; readonly namespace: string; readonly id: string };
  /** The graphs around the task's own: their namespaces, and the checkpoints that their supersteps start from. */
  readonly parents: ReadonlyArray<readonly [namespace: string, checkpoint: string]>;
  /** The namespace that graphs run by this task begin theirs with. */
  readonly namespace: string;
  /** Distinguishes runs of the same checkpoint, where LangGraph shares it among the tasks of a superstep. */
  readonly tick: object | undefined;
}

/** What LangGraph and callers hand down to the task that this call runs in. */
export function configurableValues(): Record<string, unknown> | undefined {
  return getConfig()?.configurable;
}

/** The task that this call runs in, or `undefined` outside a graph. */
export function runningTask(): RunningTask | undefined {
  const configurable = configurableValues();
  if (configurable === undefined) return undefined;
  const send = configurable[SEND];
  const read = configurable[READ];
  if (typeof send !== "function" || typeof read !== "function") return undefined;
  const enclosing = enclosingGraphs(configurable);
  const [namespace, id] = enclosing[0] ?? ["", ""];
  const checkpoint = { thread: stringOf(configurable["thread_id"]), namespace, id };
  const tick = configurable["__pregel_abort_signals"];
  const scratchpad = configurable["__pregel_scratchpad"];
  return {
    id: stringOf(configurable["__pregel_task_id"]),
    send: send as Send,
    read: read as Read,
    scratchpad: isScratchpad(scratchpad) ? scratchpad : undefined,
    resuming: configurable["__pregel_resuming"] === true,
    replaying: (configurable["__pregel_replay_state"] ?? undefined) !== undefined,
    checkpointer: checkpointerOf(configurable["__pregel_checkpointer"]),
    checkpoint,
    parents: enclosing.slice(1),
    namespace: stringOf(configurable["checkpoint_ns"]),
    tick: typeof tick === "object" && tick !== null ? tick : undefined,
  };
}

/** Interrupts count from 0; one without an answer yet ends the task for now, and all it did is done again. */
export function isInterrupted({ scratchpad }: RunningTask): boolean {
  return scratchpad !== undefined && scratchpad.interruptCounter >= scratchpad.resume.length;
}

/** The files that the superstep started with: the same object for all its tasks. `undefined` without such a channel. */
export function committedFiles(read: Read): FilesRecord | undefined {
  let files: unknown;
  try {
    files = read(FILES, false);
  } catch (error) {
    // A channel that the graph does not have is an undefined object to LangGraph.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
  if (files === null || files === undefined) return NO_FILES;
  return typeof files === "object" ? (files as FilesRecord) : undefined;
}

/** How a checkpointer is asked for a checkpoint: the latest of its namespace where it has no id. */
export function configOf({ thread, namespace, id }: RunningTask["checkpoint"]): CheckpointConfig {
  const configurable = { thread_id: thread, checkpoint_ns: namespace };
  return { configurable: id === "" ? configurable : { ...configurable, checkpoint_id: id } };
}

const NO_FILES: FilesRecord = Object.freeze({});

/** The graphs that a task lies in with the checkpoints of their supersteps, the innermost first. */
function enclosingGraphs(
  configurable: Record<string, unknown>,
): Array<readonly [namespace: string, checkpoint: string]> {
  const own = stringOf(configurable["checkpoint_ns"]);
  const checkpoints = configurable["checkpoint_map"];
  if (typeof checkpoints !== "object" || checkpoints === null) return [];
  return Object.entries(checkpoints)
    .filter(([name]) => name === "" || own.startsWith(`${name}|`))
    .map(([name, id]) => [name, String(id)] as const)
    .toSorted(([a], [b]) => b.length - a.length);
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isScratchpad(value: unknown): value is Scratchpad {
  return (
    typeof value === "object" &&
    value !== null &&
    "interruptCounter" in value &&
    typeof value.interruptCounter === "number" &&
    "resume" in value &&
    Array.isArray(value.resume)
  );
}

function checkpointerOf(value: unknown): Checkpointer | undefined {
  const fits =
    typeof value === "object" &&
    value !== null &&
    "getTuple" in value &&
    typeof value.getTuple === "function";
  return fits ? (value as Checkpointer) : undefined;
}
