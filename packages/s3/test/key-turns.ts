/** What a change of one object is to the next one. */
type Turn = Promise<{ readonly changed: boolean }>;

/** Lets changes of one object happen one after another, and those of several objects alone. */
export class KeyTurns {
  readonly #last = new Map<string, Turn>();
  #alone: Promise<unknown> = Promise.resolve();

  /**
   * Runs a change of one object.
   *
   * @param task Returns whether it has changed the object. Is called with whether another change has, since this one was asked for.
   */
  async take(key: string, task: (overtaken: boolean) => Promise<boolean>): Promise<void> {
    const [alone, before] = [this.#alone, this.#last.get(key)];
    const turn = Promise.all([before, alone]).then(async ([earlier]) => {
      const overtaken = earlier?.changed === true;
      return { changed: (await task(overtaken)) || overtaken };
    });
    const settled: Turn = turn.catch(() => ({ changed: false }));
    this.#last.set(key, settled);
    await turn.finally(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
  }

  /** Runs a change of several objects. */
  async takeAll(task: () => Promise<unknown>): Promise<void> {
    const before = [this.#alone, ...this.#last.values()];
    const turn = Promise.all(before).then(task);
    this.#alone = turn.catch(() => undefined);
    await turn;
  }
}
