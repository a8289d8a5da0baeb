/** A stream of choices that one number decides: a step that is shrunk away takes nothing from the choices of the others. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 to one below `count`. The generator is mulberry32. */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((((mixed ^ (mixed >>> 14)) >>> 0) * count) / 2 ** 32) | 0;
  }

  /** What another stream may begin with. */
  seed(): number {
    return this.below(2 ** 31);
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** True once in so many times. */
  once(inTimes: number): boolean {
    return this.below(inTimes) === 0;
  }
}
