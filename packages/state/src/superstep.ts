import type { FilesRecord, StoredFile } from "./file-data.js";
import type { FileTree } from "./file-tree.js";
import { contentOf, replay, type Change, type FilesUpdate, type Operation } from "./operations.js";
import { Outbox } from "./outbox.js";
import type { RunningTask } from "./running-graph.js";
import { treeOf } from "./trees.js";

interface Acknowledged {
  readonly operation: Operation;
  /** `undefined` for a task that finished in an earlier run of this superstep. */
  readonly outbox: Outbox | undefined;
}

/**
 * The files as they stand within one superstep of one run: what the step started with and, on top, what its tasks have
 * been acknowledged so far, in that order. LangGraph itself shows a task no writes but its own until the step ends.
 */
export class Superstep {
  readonly #id: string;
  readonly #base: FileTree;
  readonly #baseRecord: FilesRecord;
  #log: Acknowledged[] = [];
  #tree: FileTree;
  #last = 0;
  readonly #outboxes = new Map<unknown, Outbox>();

  constructor(id: string, base: FilesRecord) {
    this.#id = id;
    this.#baseRecord = base;
    this.#base = treeOf(base);
    this.#tree = this.#base.fork();
  }

  /** Takes up what tasks left that had finished before the run was resumed. */
  restore(writes: readonly unknown[]): void {
    const operations: Operation[] = [];
    for (const write of writes) {
      const batch = contentOf(write);
      if (batch !== undefined) operations.push(...batch.operations);
      else if (typeof write === "object" && write !== null)
        operations.push({ n: this.#last, merge: write as FilesUpdate });
    }
    for (const operation of operations.toSorted((a, b) => a.n - b.n)) {
      this.#last = Math.max(this.#last, operation.n);
      this.#log.push({ operation, outbox: undefined });
      replay(this.#tree, operation);
    }
  }

  /** The files as a task sees them now. */
  viewOf(task: RunningTask): FileTree {
    this.#dropLost(task);
    return this.#tree;
  }

  /** Tells whether the reducer of this package gets what a task sends. */
  replays(task: RunningTask): boolean {
    this.#dropLost(task);
    return this.#outboxOf(task).replays();
  }

  /** Acknowledges a change that applies to what {@link viewOf} returned: it is seen from now on and will be committed. */
  acknowledge(task: RunningTask, change: Change): void {
    const outbox = this.#outboxOf(task);
    const outcome = this.#outcomeNeeded(outbox, change);
    const operation: Operation = { n: ++this.#last, ...change };
    replay(this.#tree, operation);
    const entry = outcome === undefined ? operation : { ...operation, else: outcome() };
    this.#log.push({ operation: entry, outbox });
    outbox.add(entry, this.#tree);
    for (const other of this.#outboxes.values()) if (other !== outbox) other.follow(this.#tree);
  }

  /**
   * An edit that rests on another task's change of the file carries its outcome: that task may fail after this call was
   * acknowledged.
   */
  #outcomeNeeded(outbox: Outbox, change: Change): (() => StoredFile) | undefined {
    if (!("edit" in change)) return undefined;
    const path = change.edit;
    const rests = this.#log.some(
      ({ operation, outbox: other }) =>
        other !== undefined && other !== outbox && touches(operation, path),
    );
    if (!rests) return undefined;
    return () => {
      const file = this.#tree.file(path);
      if (file === undefined) throw new TypeError("an edited file must be there");
      return file;
    };
  }

  #outboxOf(task: RunningTask): Outbox {
    let outbox = this.#outboxes.get(task.send);
    if (outbox === undefined) {
      outbox = new Outbox(this.#id, task, this.#baseRecord);
      this.#outboxes.set(task.send, outbox);
    }
    return outbox;
  }

  /** Forgets what tasks did that will not be committed: an attempt that failed and is retried, a task that was interrupted. */
  #dropLost(caller: RunningTask): void {
    let lost = false;
    for (const outbox of this.#outboxes.values()) {
      if (!outbox.isLost(caller)) continue;
      outbox.reset();
      this.#log = this.#log.filter((entry) => entry.outbox !== outbox);
      lost = true;
    }
    if (!lost) return;
    this.#tree = this.#base.fork();
    for (const { operation } of this.#log) replay(this.#tree, operation);
    for (const outbox of this.#outboxes.values()) outbox.follow(this.#tree);
  }
}

function touches(operation: Operation, path: string): boolean {
  if ("put" in operation) return operation.put === path;
  if ("edit" in operation) return operation.edit === path;
  if ("remove" in operation) return operation.remove === path;
  if ("removeBelow" in operation) return path.startsWith(`${operation.removeBelow}/`);
  return path in operation.merge;
}
