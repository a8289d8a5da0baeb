import { isWithin } from "@fs/protocol/author";

/**
 * Changes whose caller was answered before the database did. A later change of the same path, or of one above or below,
 * waits for them: otherwise an older statement could take effect after a newer one.
 */
export class UnsettledChanges {
  readonly #open = new Set<{
    readonly paths: readonly string[];
    readonly settled: Promise<unknown>;
  }>();

  /** Holds up changes of these paths until `settled`, which never rejects. */
  add(paths: readonly string[], settled: Promise<void>): void {
    const change = { paths, settled };
    this.#open.add(change);
    void settled.then(() => this.#open.delete(change));
  }

  /** Resolves when no unsettled change overlaps; `undefined` when none does now. */
  before(paths: readonly string[]): Promise<unknown> | undefined {
    if (this.#open.size === 0) return undefined;
    const earlier = [...this.#open].filter((change) => overlap(change.paths, paths));
    if (earlier.length === 0) return undefined;
    return Promise.all(earlier.map(({ settled }) => settled));
  }
}

function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => isWithin(one, other) || isWithin(other, one)));
}
