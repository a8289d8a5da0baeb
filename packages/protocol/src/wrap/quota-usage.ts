import { canonicalPath } from "../paths/path.js";
import { isWithin } from "../paths/segments.js";
import type { Filesystem } from "../types/protocol.js";

/** What a call would change: the new size of each path in bytes, `undefined` for one that goes. */
export type UsageChange = ReadonlyMap<string, number | undefined>;

/** What lies on a backend: a size for every file. */
export class Usage {
  readonly #backend: Filesystem;
  #sizes: Map<string, number> | undefined;
  #bytes = 0;

  constructor(backend: Filesystem) {
    this.#backend = backend;
  }

  /** Looks at the backend unless it is known already. Returns whether it is known now. */
  async load(): Promise<boolean> {
    if (this.#sizes !== undefined) return true;
    const { files, truncated } = await this.#backend.glob("**/*", "/");
    if (files === undefined || truncated === true) return false;
    this.#sizes = new Map(files.map((file) => [canonicalOf(file.path), file.size ?? 0]));
    this.#bytes = files.reduce((sum, file) => sum + (file.size ?? 0), 0);
    return true;
  }

  /** Looks again before the next change. */
  forget(): void {
    this.#sizes = undefined;
  }

  size(path: string): number | undefined {
    return this.#sizes?.get(path);
  }

  /** The files at or below a path. */
  below(path: string): string[] {
    return [...(this.#sizes?.keys() ?? [])].filter((file) => isWithin(file, path));
  }

  /** Bytes and files there would be after a change. */
  after(change: UsageChange): { readonly bytes: number; readonly files: number } {
    let bytes = this.#bytes;
    let files = this.#sizes?.size ?? 0;
    for (const [path, size] of change) {
      const before = this.size(path);
      bytes += (size ?? 0) - (before ?? 0);
      files += Number(size !== undefined) - Number(before !== undefined);
    }
    return { bytes, files };
  }

  apply(change: UsageChange): void {
    this.#bytes = this.after(change).bytes;
    for (const [path, size] of change) {
      if (size === undefined) this.#sizes?.delete(path);
      else this.#sizes?.set(path, size);
    }
  }
}

/** The canonical form of a path, or the path itself where it has none: then the backend refuses the call anyway. */
export function canonicalOf(path: string): string {
  const canonical = canonicalPath(path);
  return canonical.failure === undefined ? canonical.path : path;
}
