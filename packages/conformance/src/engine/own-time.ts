import type { CallRecord } from "./transcript.js";

/** Milliseconds between looks at the clock, and the most that one look counts. */
const TICK_MS = 50;
const MOST_PER_TICK_MS = 200;

/** A case may take this many times its limit while each of its calls is answered within it. */
export const LIMITS_OF_A_CASE = 4;

/** What is known of the calls of a case. */
export interface CallsUnderWay {
  /** The call that has waited longest for its answer. */
  readonly oldest: CallRecord | undefined;
  /** The answered call that took longest by the clock on the wall. */
  readonly longest: CallRecord | undefined;
  /** How many calls were answered. */
  readonly answered: number;
}

/**
 * Measures how long a case has waited itself: for one call, and in all. While other cases keep the event loop busy, the ticks
 * come late, and what they lasted is not counted. A slow storage makes a case of many calls long, which is no fault: what hangs
 * is one call.
 */
export class OwnTime {
  readonly #begun = performance.now();
  readonly #limitMs: number;
  readonly #calls: CallsUnderWay;
  readonly #timer: NodeJS.Timeout;
  #last = this.#begun;
  /** The call that is waited for; where none is under way, how many were answered before. */
  #watched: CallRecord | number = 0;
  #ofWatched = 0;
  #ofCase = 0;
  #over: ((sentence: string) => void) | undefined;

  /** Settles with a sentence once a call, or the case, has used up its time. */
  readonly late: Promise<string>;

  constructor(limitMs: number, calls: CallsUnderWay) {
    this.#limitMs = limitMs;
    this.#calls = calls;
    this.late = new Promise((resolve) => {
      this.#over = resolve;
    });
    this.#timer = setInterval(() => this.#tick(), Math.min(TICK_MS, limitMs));
  }

  /**
   * What the clock on the wall says once the case has ended, as a sentence: a call that blocks the event loop keeps its time from
   * being counted.
   */
  get lateByTheClock(): string | undefined {
    const { longest } = this.#calls;
    if (longest?.ms !== undefined && longest.ms > this.#limitMs) return this.#ofCall(longest);
    return performance.now() - this.#begun > this.#limitOfCase ? this.#ofAll : undefined;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get #limitOfCase(): number {
    return this.#limitMs * LIMITS_OF_A_CASE;
  }

  get #ofAll(): string {
    return `The case did not finish within ${this.#limitOfCase} ms.`;
  }

  #ofCall({ method }: CallRecord): string {
    return `${method} did not answer within ${this.#limitMs} ms.`;
  }

  #tick(): void {
    const now = performance.now();
    const passed = Math.min(now - this.#last, MOST_PER_TICK_MS);
    this.#last = now;
    this.#ofCase += passed;
    const { oldest, answered } = this.#calls;
    // Calls that are answered between two ticks are seen by their number alone.
    const watched = oldest ?? answered;
    this.#ofWatched = watched === this.#watched ? this.#ofWatched + passed : 0;
    this.#watched = watched;
    if (this.#ofCase >= this.#limitOfCase) this.#over?.(this.#ofAll);
    else if (this.#ofWatched >= this.#limitMs)
      this.#over?.(
        oldest === undefined
          ? `The case waited for ${this.#limitMs} ms without a call under way.`
          : this.#ofCall(oldest),
      );
  }
}
