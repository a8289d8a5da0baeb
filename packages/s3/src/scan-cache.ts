/** Scans for which an entry that was of use is kept: the one that used it, and the next. */
const SCANS_KEPT = 2;

interface Entry<V> {
  readonly tag: string;
  readonly value: V;
  readonly weight: number;
  usedIn: number;
}

/**
 * Values of known weight for scans that come again. What is full takes a new value only in place of those that no scan has
 * used lately: an order of use alone would drop each value just before the next scan comes to it, and so would any policy
 * that lets everything in first. Of what is scanned again and again, as much stays as there is room for.
 */
export class ScanCache<V> {
  readonly #limit: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry<V>>();
  #weight = 0;
  #scan = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The sum of the weights held. */
  get weight(): number {
    return this.#weight;
  }

  /** To be called when a scan begins. */
  beginScan(): void {
    this.#scan++;
  }

  /** The value of a key, if it was stored under this very tag. */
  get(key: string, tag: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry?.tag !== tag) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.usedIn = this.#scan;
    return entry.value;
  }

  /** Keeps a value if there is room for it, or for what was not used lately. What was there under its key goes in any case. */
  set(key: string, tag: string, value: V, weight: number): void {
    this.delete(key);
    if (weight > this.#limit || !this.#makeRoom(weight)) return;
    this.#entries.set(key, { tag, value, weight, usedIn: this.#scan });
    this.#weight += weight;
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }

  #makeRoom(weight: number): boolean {
    for (const [oldest, { usedIn }] of this.#entries) {
      if (this.#weight + weight <= this.#limit) return true;
      if (this.#scan - usedIn < SCANS_KEPT) return false;
      this.delete(oldest);
    }
    return this.#weight + weight <= this.#limit;
  }
}
