import { VolumeError } from "../errors/volume-error.js";
import { onAbort } from "./on-abort.js";

/** The tasks of one key. */
interface Lane {
  /** Settles once every task so far has. */
  tail: Promise<unknown>;
  /** Whether the last task that ran got no answer of the storage. */
  unanswered: boolean;
}

/**
 * Runs tasks of one key after another and tasks of different keys at the same time. It spares neighbours in one process
 * the lost rounds of compare-and-swap; it is no lock against other processes.
 */
export class KeyedQueue {
  readonly #lanes = new Map<string, Lane>();
  readonly #patienceMs: number;

  /**
   * @param patienceMs Milliseconds after which a task that still waits is left out with `timeout`, if the one before it got no
   * answer: where each would wait for the whole time of a call, the last of many would wait for hours. Default `Infinity`.
   */
  constructor(patienceMs = Infinity) {
    this.#patienceMs = patienceMs;
  }

  /**
   * Settles as the task does, once every earlier task of the key has settled. A signal that fires before the task has
   * begun rejects with `aborted` at once, and the task is left out.
   *
   * @param task Never throws at once.
   */
  run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const lane = this.#lanes.get(key);
    return lane === undefined ? this.#first(key, task) : this.#next(key, lane, task, signal);
  }

  #first<T>(key: string, task: () => Promise<T>): Promise<T> {
    const turn = task();
    const lane: Lane = { tail: turn, unanswered: false };
    this.#lanes.set(key, lane);
    const ended = (unanswered: boolean): void => {
      note(lane, unanswered);
      this.#forget(key, lane, turn);
    };
    turn.then(
      () => ended(false),
      (error: unknown) => ended(hadNoAnswer(error)),
    );
    return turn;
  }

  #next<T>(
    key: string,
    lane: Lane,
    task: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const turn = this.#inTurn(lane, task, signal);
    const tail = Promise.allSettled([lane.tail, turn]);
    lane.tail = tail;
    void tail.then(() => this.#forget(key, lane, tail));
    return turn;
  }

  #inTurn<T>(lane: Lane, task: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(new VolumeError("aborted"));
      const stopListening = signal === undefined ? undefined : onAbort(signal, leave);
      const begin = (): void => {
        stopListening?.();
        if (signal?.aborted === true) return leave();
        if (lane.unanswered && performance.now() - since >= this.#patienceMs)
          return reject(new VolumeError("timeout", UNANSWERED));
        const turn = task();
        turn.then(
          () => note(lane, false),
          (error: unknown) => note(lane, hadNoAnswer(error)),
        );
        resolve(turn);
      };
      lane.tail.then(begin, begin);
    });
  }

  #forget(key: string, lane: Lane, tail: Promise<unknown>): void {
    if (lane.tail === tail) this.#lanes.delete(key);
  }
}

const UNANSWERED =
  "The storage did not answer the calls before this one on the same path. Nothing was changed; try again later.";

function note(lane: Lane, unanswered: boolean): void {
  lane.unanswered = unanswered;
}

/** Whether a task ended without an answer of the storage: a refusal is an answer. */
function hadNoAnswer(error: unknown): boolean {
  return !VolumeError.isInstance(error) || error.code === "timeout" || error.code === "unavailable";
}
