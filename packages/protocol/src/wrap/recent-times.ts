/** Passed moments that are kept before they are cleared away. */
const PASSED = 1024;

/** The moments of the last milliseconds, in their order. A moment costs the same however many there are. */
export class RecentTimes {
  readonly #span: number;
  #times: number[] = [];
  #first = 0;

  /** @param span Milliseconds after which a moment no longer counts. */
  constructor(span: number) {
    this.#span = span;
  }

  /** How many count, as of the last look. */
  get count(): number {
    return this.#times.length - this.#first;
  }

  /** The oldest that counts now. */
  oldestAt(now: number): number | undefined {
    let oldest = this.#times[this.#first];
    while (oldest !== undefined && now - oldest >= this.#span) oldest = this.#times[++this.#first];
    if (this.#first >= PASSED && this.#first * 2 >= this.#times.length) {
      this.#times = this.#times.slice(this.#first);
      this.#first = 0;
    }
    return oldest;
  }

  add(now: number): void {
    this.#times.push(now);
  }
}
