/** Milliseconds between looks at the clock, and the most that one look counts. */
const TICK_MS = 50;
const MOST_PER_TICK_MS = 200;

/**
 * Measures how long a case has waited itself. While other cases keep the event loop busy, the ticks come late, and what
 * they lasted is not counted.
 */
export class OwnTime {
  readonly #begun = performance.now();
  readonly #timer: NodeJS.Timeout;
  #last = this.#begun;
  #own = 0;
  #over: (() => void) | undefined;

  /** Settles once the limit is used up. */
  readonly late: Promise<"late">;

  constructor(limitMs: number) {
    this.late = new Promise((resolve) => {
      this.#over = () => resolve("late");
    });
    this.#timer = setInterval(
      () => {
        const now = performance.now();
        this.#own += Math.min(now - this.#last, MOST_PER_TICK_MS);
        this.#last = now;
        if (this.#own >= limitMs) this.#over?.();
      },
      Math.min(TICK_MS, limitMs),
    );
  }

  /** Milliseconds by the clock on the wall. */
  get elapsed(): number {
    return performance.now() - this.#begun;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
