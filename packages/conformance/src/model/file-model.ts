import type { Profile } from "../harness/profile.js";
import { sortedPaths } from "./text-rules.js";

/** What a model says of a call: it succeeds, or is refused with one of these codes. */
export type Verdict = undefined | readonly string[];

/** Whether the storage under test refuses files that collide with directories. */
export interface ModelRules {
  readonly overwrites: boolean;
  readonly refusesCollisions: boolean;
}

/** A filesystem as the rules describe it: a map of bytes and nothing else. Directories are where files lie below. */
export class FileModel {
  readonly files = new Map<string, Uint8Array>();
  /** Every path that was ever a directory: where directories are real, an empty one may remain there. */
  readonly everDirectories = new Set<string>();
  readonly #rules: ModelRules;

  constructor(rules: ModelRules) {
    this.#rules = rules;
  }

  /** An empty model of the storage that a profile describes. */
  static of({ writeMode, collisions }: Pick<Profile, "writeMode" | "collisions">): FileModel {
    const overwrites = writeMode === "overwrite";
    return new FileModel({ overwrites, refusesCollisions: collisions === "refused" });
  }

  /** A model of the same files, in which something can be tried. */
  clone(): FileModel {
    const copy = new FileModel(this.#rules);
    for (const [path, bytes] of this.files) copy.put(path, bytes);
    return copy;
  }

  isFile(path: string): boolean {
    return this.files.has(path);
  }

  isDirectory(path: string): boolean {
    return [...this.files.keys()].some((file) => file.startsWith(`${path}/`));
  }

  /** The files at or below a path, sorted. */
  below(path: string): string[] {
    return sortedPaths([...this.files.keys()].filter((file) => file.startsWith(`${path}/`)));
  }

  /** L1: the immediate children as `ls` lists them, sorted. */
  children(path: string): string[] {
    const names = new Set<string>();
    for (const file of this.below(path)) {
      const [name = "", ...rest] = file.slice(path.length + 1).split("/");
      names.add(`${path}/${name}${rest.length > 0 ? "/" : ""}`);
    }
    return sortedPaths(names);
  }

  put(path: string, bytes: Uint8Array): void {
    this.files.set(path, bytes);
    for (const parent of parentsOf(path)) this.everDirectories.add(parent);
  }

  /** W2: why nothing can be stored at a path, if so. */
  collision(path: string): Verdict {
    if (!this.#rules.refusesCollisions) return undefined;
    if (this.isDirectory(path)) return ["is_directory"];
    return parentsOf(path).some((parent) => this.isFile(parent)) ? ["not_directory"] : undefined;
  }

  /** Returns whether storing here would be a collision, refused or not. */
  collides(path: string): boolean {
    return this.isDirectory(path) || parentsOf(path).some((parent) => this.isFile(parent));
  }

  write(path: string, bytes: Uint8Array): Verdict {
    const collision = this.collision(path);
    if (collision !== undefined) return collision;
    if (this.isFile(path) && !this.#rules.overwrites) return ["already_exists"];
    this.put(path, bytes);
    return undefined;
  }

  remove(path: string): Verdict {
    if (this.files.delete(path)) return undefined;
    const files = this.below(path);
    if (files.length === 0) return ["not_found"];
    for (const file of files) this.files.delete(file);
    return undefined;
  }

  /** M1 and M2 for `move` and `copy`. */
  relocate(from: string, to: string, options: { move: boolean; overwrite: boolean }): Verdict {
    if (to === from || to.startsWith(`${from}/`)) return ["invalid_argument"];
    if (this.isFile(from)) return this.#relocateFile(from, to, options);
    const files = this.below(from);
    if (files.length === 0) return ["not_found"];
    if (this.isFile(to) || this.isDirectory(to))
      return ["already_exists", "not_directory", "is_directory"];
    const collision = this.collision(to);
    if (collision !== undefined) return collision;
    for (const file of files) this.#carry(file, to + file.slice(from.length), options.move);
    return undefined;
  }

  #relocateFile(
    from: string,
    to: string,
    { move, overwrite }: { move: boolean; overwrite: boolean },
  ): Verdict {
    const collision = this.collision(to);
    if (collision !== undefined) return [...collision, "already_exists"];
    if (this.isFile(to) && !overwrite) return ["already_exists"];
    this.#carry(from, to, move);
    return undefined;
  }

  #carry(from: string, to: string, move: boolean): void {
    const bytes = this.files.get(from);
    if (bytes === undefined) return;
    this.put(to, bytes);
    if (move) this.files.delete(from);
  }
}

/** The directories above a path, the root left out. */
function parentsOf(path: string): string[] {
  const names = path.split("/").slice(1, -1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
}
