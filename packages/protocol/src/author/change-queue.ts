import { isWithin } from "../paths/segments.js";
import type { FileChange } from "../types/watch.js";
import { onAbort } from "../concurrency/on-abort.js";

/** Changes that may wait for a slow reader; more become one change of the watched path. */
export const MAX_WAITING_CHANGES = 10_000;

/** The changes at or below a path between whoever hears of them and the one who reads them. */
export class ChangeQueue implements AsyncIterableIterator<FileChange, undefined> {
  /** The watched path, canonical. */
  readonly root: string;
  #waiting: FileChange[] = [];
  #readers: Array<(result: IteratorResult<FileChange, undefined>) => void> = [];
  readonly #stops = new Set<() => void>();
  #ended = false;

  constructor(root: string) {
    this.root = root;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** A change that happened. One elsewhere is passed over. */
  add(heard: FileChange): void {
    if (this.#ended || !isWithin(heard.path, this.root)) return;
    // One report may be given to the queues of many watchers; each reader's is its own.
    const change = { ...heard };
    const reader = this.#readers.shift();
    if (reader !== undefined) return reader({ done: false, value: change });
    if (this.#waiting.length < MAX_WAITING_CHANGES) this.#waiting.push(change);
    else this.#waiting = [this.#anything()];
  }

  /** Changes may have gone unheard. To be called once new ones are heard again: the reader then looks for itself. */
  missed(): void {
    this.add(this.#anything());
  }

  /** Takes no more changes; those that wait are still read. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
    for (const stop of this.#stops) stop();
    this.#stops.clear();
  }

  /**
   * Runs `stop` at the end; at once if that has come. It must not throw.
   *
   * @returns Takes `stop` back, for what has stopped by itself.
   */
  onEnd(stop: () => void): () => void {
    if (this.#ended) stop();
    else this.#stops.add(stop);
    return () => this.#stops.delete(stop);
  }

  /** Ends when the signal fires. */
  endWith(signal: AbortSignal): void {
    if (signal.aborted) return this.end();
    this.onEnd(onAbort(signal, () => this.end()));
  }

  async next(): Promise<IteratorResult<FileChange, undefined>> {
    const value = this.#waiting.shift();
    if (value !== undefined) return { done: false, value };
    if (this.#ended) return { done: true, value: undefined };
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** What `break` calls. */
  async return(): Promise<IteratorResult<FileChange, undefined>> {
    this.#waiting = [];
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #anything(): FileChange {
    return { type: "changed", path: this.root };
  }
}
