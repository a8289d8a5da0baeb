/** Says that a result is partial. It names nothing: a rule may hide what was left out, and a route gives it another path. */
const SENTENCE = "Some files or directories may not be read by this process, and are left out.";

/** Notes whether a walk of a tree had to leave something out. */
export class LeftOut {
  #any = false;

  /** For `onUnreadable` of a query. */
  readonly note = (): void => {
    this.#any = true;
  };

  get any(): boolean {
    return this.#any;
  }

  /** The part of a result that says so. */
  get warnings(): { warnings?: string[] } {
    return this.#any ? { warnings: [SENTENCE] } : {};
  }
}
