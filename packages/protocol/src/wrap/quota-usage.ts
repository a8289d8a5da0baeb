import { canonicalPath } from "../paths/path.js";
import type { Filesystem } from "../types/protocol.js";
import { SizeTree } from "./size-tree.js";

/** What a call would change: the new size of each path in bytes, `undefined` for one that goes. */
export type UsageChange = ReadonlyMap<string, number | undefined>;

/** What lies on a backend: a size for every file. */
export class Usage {
  readonly #backend: Filesystem;
  readonly #doubtful = new Set<string>();
  #sizes: SizeTree | undefined;

  constructor(backend: Filesystem) {
    this.#backend = backend;
  }

  /** True when {@link load} has nothing to look at. */
  get known(): boolean {
    return this.#sizes !== undefined && this.#doubtful.size === 0;
  }

  /** Looks at the backend for what is not known yet. Returns whether all of it is known now. */
  async load(): Promise<boolean> {
    for (const path of this.#doubtful) {
      if (this.#sizes === undefined) break;
      // What cannot be looked at alone, as a place that a wrapper hides, is looked at with all the rest.
      if (!(await this.#measure(this.#sizes, path))) this.#sizes = undefined;
      else this.#doubtful.delete(path);
    }
    if (this.#sizes !== undefined) return true;
    const sizes = new SizeTree();
    if (!(await this.#measure(sizes, "/"))) return false;
    this.#sizes = sizes;
    this.#doubtful.clear();
    return true;
  }

  /** Notes that what lies at or below a path is not known: it alone is looked at before the next change. */
  doubt(path: string): void {
    this.#doubtful.add(path);
  }

  size(path: string): number | undefined {
    return this.#sizes?.size(path);
  }

  /** The files at or below a path. */
  below(path: string): string[] {
    return this.#sizes?.below(path) ?? [];
  }

  /** Bytes and files there are. */
  get now(): { readonly bytes: number; readonly files: number } {
    return { bytes: this.#sizes?.bytes ?? 0, files: this.#sizes?.files ?? 0 };
  }

  /** Bytes and files there would be after a change. */
  after(change: UsageChange): { readonly bytes: number; readonly files: number } {
    let { bytes, files } = this.now;
    for (const [path, size] of change) {
      const before = this.size(path);
      bytes += (size ?? 0) - (before ?? 0);
      files += Number(size !== undefined) - Number(before !== undefined);
    }
    return { bytes, files };
  }

  apply(change: UsageChange): void {
    for (const [path, size] of change) this.#sizes?.set(path, size);
  }

  async #measure(sizes: SizeTree, path: string): Promise<boolean> {
    const found = await this.#backend.glob("**/*", path);
    if (found.truncated === true) return false;
    if (found.files === undefined && found.code !== "not_found") return false;
    for (const file of sizes.below(path)) sizes.set(file, undefined);
    for (const file of found.files ?? [])
      sizes.set(canonicalOf(file.path) ?? file.path, file.size ?? 0);
    return true;
  }
}

/** The canonical form of a path; `undefined` where it has none: then the backend refuses the call anyway. */
export function canonicalOf(path: string): string | undefined {
  const canonical = canonicalPath(path);
  return canonical.failure === undefined ? canonical.path : undefined;
}
