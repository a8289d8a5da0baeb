import { VolumeError } from "../errors/volume-error.js";
import { onAbort } from "./on-abort.js";

/**
 * Runs tasks of one key after another and tasks of different keys at the same time. It spares neighbours in one process
 * the lost rounds of compare-and-swap; it is no lock against other processes.
 */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /**
   * Settles as the task does, once every earlier task of the key has settled. A signal that fires before the task has
   * begun rejects with `aborted` at once, and the task is left out.
   *
   * @param task Never throws at once.
   */
  run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#tails.get(key);
    const turn = before === undefined ? task() : inTurn(before, task, signal);
    const tail = before === undefined ? turn : Promise.allSettled([before, turn]);
    this.#tails.set(key, tail);
    const forget = (): void => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    };
    tail.then(forget, forget);
    return turn;
  }
}

function inTurn<T>(
  before: Promise<unknown>,
  task: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return before.then(task, task);
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new VolumeError("aborted"));
    const forget = onAbort(signal, leave);
    const begin = (): void => {
      forget();
      if (signal.aborted) leave();
      else task().then(resolve, reject);
    };
    before.then(begin, begin);
  });
}
