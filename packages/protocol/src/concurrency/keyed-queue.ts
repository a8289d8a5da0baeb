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

  /**
   * Runs a task of many keys once every earlier task of each has settled; later ones of any of them wait for it. All keys are
   * queued for at once, so that no two such tasks wait for each other, and share one promise. Knows no patience.
   *
   * @param keys None twice.
   * @param task Never throws at once.
   */
  runAll<T>(keys: readonly string[], task: () => Promise<T>): Promise<T> {
    const earlier = keys.flatMap((key) => this.#lanes.get(key)?.tail ?? []);
    const turn = earlier.length === 0 ? task() : Promise.allSettled(earlier).then(task);
    this.#takeLanes(keys, turn);
    return turn;
  }

  #first<T>(key: string, task: () => Promise<T>): Promise<T> {
    const turn = task();
    this.#takeLanes([key], turn);
    return turn;
  }

  /** Makes a turn the last one of its keys. */
  #takeLanes(keys: readonly string[], turn: Promise<unknown>): void {
    const lanes = keys.map((key): [string, Lane] => {
      const lane = this.#lanes.get(key) ?? { tail: turn, unanswered: false };
      lane.tail = turn;
      this.#lanes.set(key, lane);
      return [key, lane];
    });
    const ended = (unanswered: boolean): void => {
      for (const [key, lane] of lanes) {
        note(lane, unanswered);
        this.#forget(key, lane, turn);
      }
    };
    turn.then(
      () => ended(false),
      (error: unknown) => ended(hadNoAnswer(error)),
    );
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
