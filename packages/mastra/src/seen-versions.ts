/** Times that are remembered; the oldest are forgotten, and a write that names one is refused. */
const MOST = 10_000;

/**
 * The versions that were seen through one filesystem. Mastra names the time of the file that it has read, which two versions
 * may share; the version that belongs to it is the one that was read.
 */
export class SeenVersions {
  readonly #latest = new Map<string, string>();
  /** By path and time; `undefined` where two versions had that time. */
  readonly #ofTime = new Map<string, string | undefined>();

  /** The version that was last read or written. */
  latest(path: string): string | undefined {
    return this.#latest.get(path);
  }

  /** The content of this version was read or written. */
  saw(path: string, version: string | undefined): void {
    if (version === undefined) this.#latest.delete(path);
    else remember(this.#latest, path, version);
  }

  /** A version had this time. One that differs from the content that was read has not been seen. */
  sawTime(path: string, time: Date, version: string | undefined): void {
    const latest = this.#latest.get(path);
    if (version === undefined || (latest !== undefined && latest !== version)) return;
    const key = keyOf(path, time);
    const isShared = this.#ofTime.has(key) && this.#ofTime.get(key) !== version;
    remember(this.#ofTime, key, isShared ? undefined : version);
  }

  /** The version that was seen with this time. */
  ofTime(path: string, time: Date): string | undefined {
    return this.#ofTime.get(keyOf(path, time));
  }
}

function keyOf(path: string, time: Date): string {
  return `${time.getTime()} ${path}`;
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > MOST ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}
