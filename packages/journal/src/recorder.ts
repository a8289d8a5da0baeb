import { type Change, changeSet, type FileAccess, hashOf } from "@fs/changes";
import { currentCaller, type Failure, failure } from "@fs/protocol";
import { outcomeOf, waitFor } from "@fs/protocol/async";
import { guardListener, VolumeError } from "@fs/protocol/author";
import type { JournalStore } from "./journal-store.js";
import { type BeginEntry, type EndEntry, newRecordId } from "./record.js";

/** Called with an error of the journal after the change had been made. */
export type JournalErrorListener = (error: unknown, recordId: string) => void;

/** What a call is to change, as its record says it. */
export interface Intent {
  readonly method: string;
  readonly changes: readonly Change[];
  readonly exact: boolean;
  /** Contents of the changes, to be kept. */
  readonly contents: readonly Uint8Array[];
  /** By the path of a file: the one that its content comes from. */
  readonly sources?: ReadonlyMap<string, string> | undefined;
  readonly command?: string | undefined;
  readonly undoes?: readonly string[] | undefined;
}

/** What has become of it. */
export type Ending = Pick<EndEntry, "outcome" | "changes"> &
  Partial<Pick<EndEntry, "code" | "exact" | "exitCode">> & {
    readonly contents?: readonly Uint8Array[];
    readonly sources?: ReadonlyMap<string, string> | undefined;
  };

/** Milliseconds that the end of an aborted call is waited for. */
const LAST_WORD_MS = 1000;

/** Writes what calls are about to do, and what became of them. */
export class Recorder {
  readonly files: FileAccess;
  readonly store: JournalStore;
  /** Calls of this process that are under way: they are open, and not to be settled. */
  readonly underWay = new Set<string>();
  readonly #isKept: ((path: string) => boolean) | undefined;
  readonly #onError: JournalErrorListener | undefined;
  /** The end of a round that was lost, to be stored with the next beginning. */
  #pending: EndEntry[] = [];

  /** @param isKept Whether the contents of a file are kept, and not their hashes alone; all are without it. */
  constructor(
    files: FileAccess,
    store: JournalStore,
    isKept: ((path: string) => boolean) | undefined,
    onError: JournalErrorListener | undefined,
  ) {
    this.files = files;
    this.store = store;
    this.#isKept = isKept;
    this.#onError = onError;
  }

  /**
   * Stores what a call is about to do. Throws `unavailable` when it cannot, and `aborted` when the signal fires before it is
   * stored: the call is then not made.
   */
  async begin({ contents, sources, ...intent }: Intent, signal?: AbortSignal): Promise<string> {
    const id = newRecordId();
    const entry: BeginEntry = {
      phase: "begin",
      id,
      time: new Date().toISOString(),
      caller: currentCaller(),
      ...intent,
    };
    this.underWay.add(id);
    const pending = this.#pending.splice(0);
    try {
      // What could not be read again must not be stored: one such entry would close the whole journal.
      changeSet(intent.changes);
      const kept = this.#kept(contents, intent.changes, sources);
      const stored = this.store.append([...pending, entry], kept, signal);
      await waitFor(stored, { signal, timeoutMs: Infinity }, () => {
        // It may be stored all the same, of a call that is never made.
        stored.then(
          () => this.#pending.push(endOf(id, { outcome: "refused", code: "aborted", changes: [] })),
          () => undefined,
        );
        return new VolumeError("aborted");
      });
    } catch (cause) {
      this.underWay.delete(id);
      for (const one of pending) this.#pending.push(one);
      if (signal?.aborted === true) throw new VolumeError("aborted", undefined, { cause });
      throw new VolumeError("unavailable", NOT_RECORDED, { cause });
    }
    return id;
  }

  /**
   * Makes a call between its beginning and its end. However it ends, it is not under way any more afterwards: a record that
   * got no end is settled by what the files hold.
   */
  async around<R>(
    intent: Intent,
    call: (id: string) => Promise<R>,
    signal?: AbortSignal,
  ): Promise<R> {
    const id = await this.begin(intent, signal);
    try {
      return await call(id);
    } finally {
      this.underWay.delete(id);
    }
  }

  /**
   * Stores what became of a call. A journal that fails now, or a look at what the call did, is reported to the operator: the
   * change has been made. An aborted call is answered a second later at most; its end is stored all the same.
   */
  async end(id: string, ended: Ending | Promise<Ending>, signal?: AbortSignal): Promise<void> {
    const stored = this.#storeEnd(id, ended);
    const inTime = await outcomeOf(() => waitFor(stored, { signal, timeoutMs: Infinity }, gaveUp));
    if (inTime.status === "rejected")
      await outcomeOf(() => waitFor(stored, { timeoutMs: LAST_WORD_MS }, gaveUp));
  }

  async #storeEnd(id: string, ended: Ending | Promise<Ending>): Promise<void> {
    try {
      const { contents = [], sources, ...ending } = await ended;
      changeSet(ending.changes);
      const kept = this.#kept(contents, ending.changes, sources);
      await this.store.append([endOf(id, ending)], kept);
    } catch (error) {
      this.report(error, id);
    } finally {
      this.underWay.delete(id);
    }
  }

  /** Notes that a round was lost and will be repeated: stored with the beginning of the next. */
  lost(id: string): void {
    this.#pending.push(endOf(id, { outcome: "refused", code: "conflict", changes: [] }));
  }

  /** Reports an error of the journal after a change had been made. */
  report(error: unknown, id: string): void {
    guardListener(() => this.#onError?.(error, id));
  }

  /** The refusal of a call that could not be recorded. */
  refusal(path: unknown): Failure {
    return failure("unavailable", path, NOT_RECORDED);
  }

  /** The contents of files that may be kept; what one that may not has held is not kept for another in the same call. */
  #kept(
    contents: readonly Uint8Array[],
    changes: readonly Change[],
    sources: ReadonlyMap<string, string> = new Map(),
  ): readonly Uint8Array[] {
    const isKept = this.#isKept;
    if (isKept === undefined) return contents;
    const kept = new Set<string | undefined>();
    const closed = new Set<string | undefined>();
    for (const { path, before, after } of changes) {
      (isKept(path) ? kept : closed).add(before?.hash);
      (isKept(path) && isKept(sources.get(path) ?? path) ? kept : closed).add(after?.hash);
    }
    return contents.filter((bytes) => {
      const hash = hashOf(bytes);
      return kept.has(hash) && !closed.has(hash);
    });
  }
}

function gaveUp(): VolumeError {
  return new VolumeError("aborted");
}

function endOf(id: string, ending: Omit<Ending, "contents" | "sources">): EndEntry {
  return { phase: "end", id, time: new Date().toISOString(), ...ending };
}

const NOT_RECORDED = "The call could not be recorded, so it was not made. Try again later.";
