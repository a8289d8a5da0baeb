import { VolumeError } from "@fs/protocol/author";
import { digestOf } from "@fs/protocol/records";
import type { Actor } from "./actor.js";
import type { Operation } from "./operations.js";
import {
  configOf,
  FILES,
  type Checkpointer,
  type PendingWrite,
  type RunningTask,
} from "./running-graph.js";

/**
 * The name under which a subagent's tasks leave what they did to their caller's files. No graph has such a channel: LangGraph
 * stores the write with those of the task, when the task is done, and makes nothing of it.
 */
const JOURNAL = "__fs_journal";
/** The name under which the caller's checkpoint knows in which namespaces there are journals. */
const JOURNALS = "__fs_journals";

interface Entry {
  /** The same wherever the entry is found. */
  readonly id: string;
  readonly operation: Operation;
}

/** What a task of a subagent leaves: its operations on the files of the task that owns them. */
interface JournalWrite {
  readonly owner: string;
  readonly entries: Entry[];
}

/** Where a journal is. */
interface JournalPlace {
  readonly owner: string;
  readonly thread: string;
  readonly namespace: string;
}

/** An operation that a subagent of the `owner` left. */
export interface JournalledOperation {
  readonly owner: string;
  readonly operation: Operation;
}

/** What one task of a subagent did to its caller's files, kept with the task's other writes. */
export class Journal {
  readonly #actor: Actor;
  #entries: Entry[] | undefined;
  #noticed = false;

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  add(operation: Operation): void {
    this.#entries ??= this.#send();
    const id = `${this.#actor.task.id}:${operation.n}`;
    this.#entries.push({ id, operation });
  }

  /** Returns whether LangGraph dropped what was left: before a retry it empties the task's writes. */
  isLost(): boolean {
    if (this.#entries === undefined) return false;
    this.#noticed = false;
    try {
      // Looks through the task's writes for the name, and so at ours if it is still there.
      this.#actor.task.read(JOURNAL, false);
    } catch (error) {
      // There is no such channel, which is an undefined object to LangGraph.
      if (!(error instanceof TypeError)) throw error;
    }
    return !this.#noticed;
  }

  reset(): void {
    this.#entries = undefined;
  }

  #send(): Entry[] {
    const { task, owner } = this.#actor;
    const left: JournalWrite = { owner: owner.id, entries: [] };
    const write: [string, unknown] = [JOURNAL, left];
    Object.defineProperty(write, 0, {
      enumerable: true,
      get: () => {
        this.#noticed = true;
        return JOURNAL;
      },
    });
    task.send([write]);
    // A checkpoint waits until the writes before it are stored only where one of them is for a delta channel.
    if (hasFiles(task)) task.send([[FILES, {}]]);
    return left.entries;
  }
}

function hasFiles(task: RunningTask): boolean {
  try {
    task.read(FILES, false);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

const UNNOTED =
  "The checkpointer did not note that files were changed: the change may have happened, and may be lost if the run is interrupted. Look at the files before you try again.";

const announced = new WeakMap<RunningTask["send"], Map<string, Promise<void>>>();

/**
 * Makes a journal findable from the caller's checkpoint, before the first change in it is acknowledged. Throws `unavailable` where
 * that fails: the change is made, but it is not known to survive an interrupt.
 */
export function announceJournal({ task, owner }: Actor): Promise<void> | undefined {
  const { checkpointer, checkpoint } = owner;
  if (checkpointer === undefined) return undefined;
  let known = announced.get(owner.send);
  if (known === undefined) {
    known = new Map();
    announced.set(owner.send, known);
  }
  const { thread, namespace } = task.checkpoint;
  const name = JSON.stringify([thread, namespace]);
  let done = known.get(name);
  if (done === undefined) {
    const place: JournalPlace = { owner: owner.id, thread, namespace };
    const write = checkpointer.putWrites(configOf(checkpoint), [[JOURNALS, place]], writeId(place));
    done = Promise.resolve(write).catch((error: unknown) => {
      // The next change tries again.
      known?.delete(name);
      throw new VolumeError("unavailable", UNNOTED, { cause: error });
    });
    known.set(name, done);
  }
  return done;
}

/** What the subagents of a checkpoint's tasks left, in whatever namespaces. */
export async function journalledOperations(
  checkpointer: Checkpointer,
  pending: readonly PendingWrite[],
): Promise<JournalledOperation[]> {
  const places = pending.filter(([, channel]) => channel === JOURNALS);
  const journals = await Promise.all(
    places.map(async ([, , place]) => journalAt(checkpointer, place as JournalPlace)),
  );
  const operations = new Map<string, JournalledOperation>();
  for (const { owner, entries } of journals.flat())
    for (const { id, operation } of entries) operations.set(`${owner}:${id}`, { owner, operation });
  return [...operations.values()];
}

async function journalAt(checkpointer: Checkpointer, place: JournalPlace): Promise<JournalWrite[]> {
  const latest = await checkpointer.getTuple(
    configOf({ thread: place.thread, namespace: place.namespace, id: "" }),
  );
  if (latest === undefined) return [];
  const history = await checkpointer.getDeltaChannelHistory({
    config: latest.config,
    channels: [JOURNAL],
  });
  const pending = latest.pendingWrites ?? [];
  const earlier = history[JOURNAL]?.writes ?? [];
  return [...earlier, ...withoutFailed(pending)]
    .filter(([, channel]) => channel === JOURNAL)
    .map(([, , left]) => left as JournalWrite)
    .filter(({ owner }) => owner === place.owner);
}

/** The writes of tasks that are not run again. */
export function withoutFailed(writes: readonly PendingWrite[]): PendingWrite[] {
  const failed = new Set(writes.filter(([, channel]) => channel === "__error__").map(([id]) => id));
  return writes.filter(([id]) => !failed.has(id));
}

/** A task id of its own for every place, in the form that savers ask for: writes of one id replace each other. */
function writeId(place: JournalPlace): string {
  const hex = digestOf("sha256", "hex", JSON.stringify(place));
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return groups.join("-");
}
