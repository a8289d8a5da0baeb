/**
 * Runs tasks of one key after another and tasks of different keys at the same time. It spares neighbours in one process
 * the lost rounds of compare-and-swap; it is no lock against other processes.
 */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Settles as the task does, once every earlier task of the key has settled. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const turn = before === undefined ? task() : before.then(task, task);
    this.#tails.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#tails.get(key) === turn) this.#tails.delete(key);
    }
  }
}
