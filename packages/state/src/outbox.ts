import { VolumeError } from "@fs/protocol/author";
import type { FilesRecord } from "./file-data.js";
import type { FileTree } from "./file-tree.js";
import { batchFor, contentOf, pathsOf, type Operation, type OperationBatch } from "./operations.js";
import { overhear } from "./reducer.js";
import { FILES, isInterrupted, type RunningTask } from "./running-graph.js";

/** What a channel makes of an update: replays operations, merges records, or takes the update as its new value. */
type ChannelKind = "operations" | "records" | "replaced";

/**
 * What one task has sent to the `files` channel: a single update that grows with every change until the superstep ends.
 * LangGraph reads it when the task finishes.
 */
export class Outbox {
  readonly #step: string;
  readonly #task: RunningTask;
  readonly #base: FilesRecord;
  #sent: Record<string, unknown> | undefined;
  #kind: ChannelKind | undefined;
  readonly #paths = new Set<string>();
  #adopted = false;

  constructor(step: string, task: RunningTask, base: FilesRecord) {
    this.#step = step;
    this.#task = task;
    this.#base = base;
  }

  /** Returns whether the channel replays operations. */
  replays(): boolean {
    if (this.#sent === undefined) this.#send();
    return this.#kind === "operations";
  }

  /** Adds an acknowledged change. */
  add(operation: Operation, tree: FileTree): void {
    const sent = this.#sent ?? this.#send();
    if (this.#kind === "operations") {
      const batch = contentOf(sent);
      if (batch === undefined) Object.assign(sent, batchFor(this.#step));
      contentOf(sent)?.operations.push(operation);
      return;
    }
    for (const path of changedPaths(operation, this.#base, tree)) this.#paths.add(path);
    this.follow(tree);
  }

  /**
   * Where the channel merges records in the order of the tasks, every task that touched a file sends its latest content,
   * so that the order does not matter.
   */
  follow(tree: FileTree): void {
    const sent = this.#sent;
    if (sent === undefined || this.#kind === "operations") return;
    if (this.#kind === "replaced") Object.assign(sent, this.#base);
    for (const path of this.#paths) {
      const file = tree.file(path);
      if (file !== undefined) sent[path] = file;
      else if (this.#kind === "replaced") delete sent[path];
      else sent[path] = null;
    }
  }

  /** Returns whether nothing of what was sent will be committed. */
  isLost(caller: RunningTask): boolean {
    if (this.#sent === undefined) return false;
    if (isInterrupted(this.#task)) return true;
    const own = caller.send === this.#task.send;
    if (this.#kind === "operations") {
      if (own && !caller.resuming) return false;
      return overhear(() => this.#task.read(FILES, true))?.includes(this.#sent) !== true;
    }
    // Reading through a foreign reducer copies all files, so it is done only where a retry is possible.
    return own && caller.resuming && this.#task.read(FILES, true) === this.#base;
  }

  /** Sends what subagents did before an interrupt, once in every attempt of the task. */
  adopt(operations: readonly Operation[], tree: FileTree): void {
    if (this.#adopted) return;
    for (const operation of operations) this.add(operation, tree);
    this.#adopted = true;
  }

  /** Takes back what a task of a subagent did that will do it again. */
  drop(operations: readonly Operation[]): void {
    const batch = contentOf(this.#sent);
    if (batch === undefined) return;
    const kept = batch.operations.filter((operation) => !operations.includes(operation));
    batch.operations.length = 0;
    for (const operation of kept) batch.operations.push(operation);
  }

  /** Starts again with nothing sent. */
  reset(): void {
    this.#sent = undefined;
    this.#adopted = false;
    this.#paths.clear();
  }

  #send(): Record<string, unknown> {
    const sent: Record<string, unknown> & Partial<OperationBatch> = {};
    this.#task.send([[FILES, sent]]);
    this.#sent = sent;
    this.#kind ??= this.#probe(sent);
    return sent;
  }

  /** Finds out what the channel does with an update, by letting it have an empty one. */
  #probe(sent: object): ChannelKind {
    let value: unknown;
    const heard = overhear(() => {
      value = this.#task.read(FILES, true);
    });
    if (heard !== undefined) return "operations";
    return value === sent ? "replaced" : "records";
  }
}

function changedPaths(operation: Operation, base: FilesRecord, tree: FileTree): string[] {
  if (!("removeBelow" in operation)) return pathsOf(operation);
  const prefix = `${operation.removeBelow}/`;
  const known = new Set([...Object.keys(base), ...tree.changes().keys()]);
  return [...known].filter((path) => path.startsWith(prefix));
}

/** The failure of a graph whose state has no such field. */
export function noFilesField(): VolumeError {
  return new VolumeError(
    "unsupported",
    "The running graph has no 'files' field in its state. Add `filesSchema` of '@fs/state' to a middleware's `stateSchema`, or `files: filesValue()` to the graph's state.",
  );
}
