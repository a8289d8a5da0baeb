const BEAT_MS = 50;

/** Milliseconds in which this process ran: those in which it was stopped, or had no turn, count as one beat. */
export class OwnTime {
  #ms = 0;
  #last = performance.now();
  readonly #timer = setInterval(() => this.#beat(), BEAT_MS);

  get ms(): number {
    this.#beat();
    return this.#ms;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const now = performance.now();
    this.#ms += Math.min(now - this.#last, 2 * BEAT_MS);
    this.#last = now;
  }
}
