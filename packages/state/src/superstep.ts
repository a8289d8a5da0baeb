import type { Actor } from "./actor.js";
import { claim, refuseClaimed } from "./branches.js";
import type { FilesRecord, StoredFile } from "./file-data.js";
import type { FileTree } from "./file-tree.js";
import { announceJournal, type JournalledOperation } from "./journal.js";
import {
  contentOf,
  replay,
  touches,
  type Change,
  type FilesUpdate,
  type Operation,
} from "./operations.js";
import { Outbox } from "./outbox.js";
import type { RunningTask } from "./running-graph.js";
import { treeOf } from "./trees.js";
import { Voice } from "./voice.js";

interface Acknowledged {
  readonly operation: Operation;
  /** `undefined` for a task that finished in an earlier run of this superstep. */
  readonly voice: Voice | undefined;
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
  readonly #voices = new Map<unknown, Voice>();
  /** What the subagents of interrupted tasks left, by the task that has to send it once more. */
  readonly #journalled = new Map<string, Operation[]>();

  constructor(id: string, base: FilesRecord) {
    this.#id = id;
    this.#baseRecord = base;
    this.#base = treeOf(base);
    this.#tree = this.#base.fork();
  }

  /** Takes up what tasks left that had finished before the run was resumed, and the subagents of those that had not. */
  restore(writes: readonly unknown[], journalled: readonly JournalledOperation[]): void {
    const operations: Operation[] = [];
    for (const write of writes) {
      const batch = contentOf(write);
      if (batch !== undefined) for (const operation of batch.operations) operations.push(operation);
      else if (typeof write === "object" && write !== null)
        operations.push({ n: this.#last, merge: write as FilesUpdate });
    }
    for (const { owner, operation } of journalled.toSorted(
      (a, b) => a.operation.n - b.operation.n,
    )) {
      operations.push(operation);
      this.#journalled.set(owner, [...(this.#journalled.get(owner) ?? []), operation]);
    }
    for (const operation of operations.toSorted((a, b) => a.n - b.n)) {
      this.#last = Math.max(this.#last, operation.n);
      this.#log.push({ operation, voice: undefined });
      replay(this.#tree, operation);
    }
  }

  /** Lets a task that runs again send what its subagents left, which they will not do again. */
  adopt(owner: RunningTask): void {
    this.#dropLost(owner);
    const operations = this.#journalled.get(owner.id);
    if (operations !== undefined) this.#outboxOf(owner).adopt(operations, this.#tree);
  }

  /** The files as a task sees them now. */
  viewOf({ owner }: Actor): FileTree {
    this.#dropLost(owner);
    return this.#tree;
  }

  /** Returns whether the reducer of this package gets what a task sends. */
  replays({ owner }: Actor): boolean {
    this.#dropLost(owner);
    return this.#outboxOf(owner).replays();
  }

  /** Throws `conflict` where one of these changes could not be acknowledged, before any of them is. */
  refuseClaimed({ owner }: Actor, changes: readonly Change[]): void {
    refuseClaimed(owner, this.#baseRecord, changes);
  }

  /**
   * Acknowledges a change that applies to what {@link viewOf} returned: it is seen from now on and will be committed. A promise
   * where it is certain only then that the change survives an interrupt.
   */
  acknowledge(actor: Actor, change: Change): Promise<void> | undefined {
    claim(actor.owner, this.#baseRecord, change);
    const voice = this.#voiceOf(actor);
    const outcome = this.#outcomeNeeded(voice, change);
    const operation: Operation = { n: ++this.#last, ...change };
    replay(this.#tree, operation);
    const entry = outcome === undefined ? operation : { ...operation, else: outcome() };
    this.#log.push({ operation: entry, voice });
    voice.outbox.add(entry, this.#tree);
    voice.journal?.add(entry);
    for (const other of this.#outboxes.values())
      if (other !== voice.outbox) other.follow(this.#tree);
    return voice.journal === undefined ? undefined : announceJournal(actor);
  }

  /**
   * An edit that rests on another task's change of the file carries its outcome: that task may fail after this call was
   * acknowledged.
   */
  #outcomeNeeded(voice: Voice, change: Change): (() => StoredFile) | undefined {
    if (!("edit" in change)) return undefined;
    const path = change.edit;
    const rests = this.#log.some(
      ({ operation, voice: other }) =>
        other !== undefined && other !== voice && touches(operation, path),
    );
    if (!rests) return undefined;
    return () => {
      const file = this.#tree.file(path);
      if (file === undefined) throw new TypeError("an edited file must be there");
      return file;
    };
  }

  #outboxOf(owner: RunningTask): Outbox {
    let outbox = this.#outboxes.get(owner.send);
    if (outbox === undefined) {
      outbox = new Outbox(this.#id, owner, this.#baseRecord);
      this.#outboxes.set(owner.send, outbox);
    }
    return outbox;
  }

  #voiceOf(actor: Actor): Voice {
    let voice = this.#voices.get(actor.task.send);
    if (voice === undefined) {
      voice = new Voice(actor, this.#outboxOf(actor.owner));
      this.#voices.set(actor.task.send, voice);
    }
    return voice;
  }

  /** Forgets what tasks did that will not be committed: an attempt that failed and is retried, a task that was interrupted. */
  #dropLost(caller: RunningTask): void {
    const lost = new Set<Voice>();
    for (const outbox of this.#outboxes.values()) {
      if (!outbox.isLost(caller)) continue;
      outbox.reset();
      for (const voice of this.#voices.values()) if (voice.outbox === outbox) lost.add(voice);
    }
    for (const voice of this.#voices.values()) {
      if (lost.has(voice) || !voice.isLost()) continue;
      voice.outbox.drop(this.#log.filter((entry) => entry.voice === voice).map(operationOf));
      lost.add(voice);
    }
    if (lost.size === 0) return;
    for (const voice of lost) voice.journal?.reset();
    this.#log = this.#log.filter(({ voice }) => voice === undefined || !lost.has(voice));
    this.#tree = this.#base.fork();
    for (const { operation } of this.#log) replay(this.#tree, operation);
    for (const outbox of this.#outboxes.values()) outbox.follow(this.#tree);
  }
}

function operationOf({ operation }: Acknowledged): Operation {
  return operation;
}
