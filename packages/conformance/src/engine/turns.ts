/** Who may run beside whom: most cases share the event loop, some have it for themselves. */
export class Turns {
  #running = 0;
  #gate: Promise<void> = Promise.resolve();
  #idle: (() => void) | undefined;

  /** Whether another task runs now. */
  get crowded(): boolean {
    return this.#running > 1;
  }

  /** Runs a task beside others. */
  async shared<T>(task: () => Promise<T>): Promise<T> {
    let gate: Promise<void> | undefined;
    while (gate !== this.#gate) {
      gate = this.#gate;
      await gate;
    }
    return this.#run(task);
  }

  /** Runs a task once all others have ended; none begins meanwhile. */
  async exclusive<T>(task: () => Promise<T>): Promise<T> {
    const before = this.#gate;
    let open: (() => void) | undefined;
    this.#gate = new Promise((resolve) => {
      open = resolve;
    });
    await before;
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    try {
      return await this.#run(task);
    } finally {
      open?.();
    }
  }

  async #run<T>(task: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await task();
    } finally {
      this.#running--;
      if (this.#running === 0) this.#idle?.();
    }
  }
}
