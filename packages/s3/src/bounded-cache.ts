/** Values of known weight, the least recently used dropped first when the sum grows over the limit. */
export class BoundedCache<V> {
  readonly #limit: number;
  readonly #entries = new Map<
    string,
    { readonly tag: string; readonly value: V; readonly weight: number }
  >();
  #weight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The sum of the weights held. */
  get weight(): number {
    return this.#weight;
  }

  /** The value of a key, if it was stored under this very tag. */
  get(key: string, tag: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry?.tag !== tag) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, tag: string, value: V, weight: number): void {
    this.delete(key);
    if (weight > this.#limit) return;
    this.#entries.set(key, { tag, value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#limit) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
