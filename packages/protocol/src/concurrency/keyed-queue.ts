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
   */
  async run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const known = this.#lanes.get(key);
    const lane = known ?? { tail: Promise.resolve(), unanswered: false };
    const noted = (): Promise<T> => noting(lane, task);
    const turn = known === undefined ? noted() : this.#inTurn(known, noted, signal);
    const tail = Promise.allSettled(known === undefined ? [turn] : [known.tail, turn]);
    lane.tail = tail;
    this.#lanes.set(key, lane);
    const forget = (): void => {
      if (lane.tail === tail) this.#lanes.delete(key);
    };
    tail.then(forget, forget);
    return turn;
  }

  #inTurn<T>(lane: Lane, task: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const since = performance.now();
    const { tail } = lane;
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(new VolumeError("aborted"));
      const forget = signal === undefined ? undefined : onAbort(signal, leave);
      const begin = (): void => {
        forget?.();
        if (signal?.aborted === true) leave();
        else if (lane.unanswered && performance.now() - since >= this.#patienceMs)
          reject(new VolumeError("timeout", UNANSWERED));
        else task().then(resolve, reject);
      };
      tail.then(begin, begin);
    });
  }
}

const UNANSWERED =
  "The storage did not answer the calls before this one on the same path. Nothing was changed; try again later.";

/** Runs a task, and notes whether the storage answered it: a refusal is an answer. */
async function noting<T>(lane: Lane, task: () => Promise<T>): Promise<T> {
  try {
    const answer = await task();
    lane.unanswered = false;
    return answer;
  } catch (error) {
    lane.unanswered =
      !VolumeError.isInstance(error) || error.code === "timeout" || error.code === "unavailable";
    throw error;
  }
}
