/**
 * What a random run must have met to mean anything, with the least share of all steps. A generator that stops reaching
 * these would let every backend pass, so that a run without them is an error of the suite.
 */
const QUOTAS = {
  "edit of a text that occurs once": 0.02,
  "edit of a text that occurs several times, one by one": 0.003,
  "edit of all of several occurrences": 0.003,
  "edit to a text with $": 0.005,
  "edit of a text that does not occur": 0.003,
  "write over a file": 0.01,
  "write of a new file": 0.02,
  "read of lines": 0.005,
  "search with matches": 0.003,
} as const;

/** A situation that a run should meet. */
export type Situation = keyof typeof QUOTAS;

/** Counts which situations the steps of a run met. */
export class Coverage {
  #steps = 0;
  readonly #met = new Map<Situation, number>();

  step(): void {
    this.#steps++;
  }

  meet(situation: Situation): void {
    this.#met.set(situation, (this.#met.get(situation) ?? 0) + 1);
  }

  /** The quotas that were missed, as sentences. Empty below 300 steps, where chance decides. */
  missed(): string[] {
    if (this.#steps < 300) return [];
    return Object.entries(QUOTAS).flatMap(([situation, share]) => {
      const met = this.#met.get(situation as Situation) ?? 0;
      const least = Math.max(1, Math.floor(this.#steps * share * 0.5));
      return met >= least
        ? []
        : [
            `'${situation}' was met ${met} times in ${this.#steps} steps, and should be ${least} times`,
          ];
    });
  }
}
