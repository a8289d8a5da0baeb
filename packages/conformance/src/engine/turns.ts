/** Whether another task has run at any time since this one began. */
export type Crowded = () => boolean;

interface Waiting {
  readonly alone: boolean;
  readonly begin: () => void;
}

/** Who may run beside whom: most tasks share the event loop, some have it for themselves. Each begins in the order asked. */
export class Turns {
  readonly #width: number;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #begun = 0;
  #alone = false;

  /** @param width - Tasks that share the event loop at most. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Runs a task beside others. */
  async shared<T>(task: (crowded: Crowded) => Promise<T>): Promise<T> {
    return this.#run(false, task);
  }

  /** Runs a task once all others have ended; none begins meanwhile. */
  async exclusive<T>(task: (crowded: Crowded) => Promise<T>): Promise<T> {
    return this.#run(true, task);
  }

  async #run<T>(alone: boolean, task: (crowded: Crowded) => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ alone, begin });
      this.#admit();
    });
    const begun = this.#begun;
    const besideOthers = this.#running > 1;
    try {
      return await task(() => besideOthers || this.#begun > begun);
    } finally {
      this.#running--;
      this.#alone = false;
      this.#admit();
    }
  }

  #admit(): void {
    for (;;) {
      const next = this.#waiting[0];
      if (next === undefined || this.#alone) return;
      if (this.#running >= (next.alone ? 1 : this.#width)) return;
      this.#waiting.shift();
      this.#running++;
      this.#begun++;
      this.#alone = next.alone;
      next.begin();
    }
  }
}
