import {
  ancestorsOf,
  comparePaths,
  isCanonicalFilePath,
  parentOf,
  pathsBelow,
  prefixOf,
} from "@fs/protocol/author";
import { isStoredFile, type FilesRecord, type StoredFile } from "./file-data.js";

/** A directory among the children of another. */
export const DIRECTORY = Symbol("directory");

type Child = StoredFile | typeof DIRECTORY;
type Children = ReadonlyMap<string, Child>;
type Directories = Map<string, Map<string, Child>>;

/**
 * The files of a record with what a listing needs: the children of every directory, and all paths in order.
 *
 * A tree over another shares what it does not change, so that a step's changes cost what they touch.
 */
export class FileTree {
  readonly #base: FileTree | undefined;
  readonly #record: FilesRecord | undefined;
  readonly #changed = new Map<string, StoredFile | null>();
  /** Of a record's own tree, `undefined` until somebody asks for a directory: most steps only read files. */
  #directories: Directories | undefined;
  #sorted: readonly string[] | undefined;

  private constructor(
    record: FilesRecord | undefined,
    base: FileTree | undefined,
    directories?: Directories,
  ) {
    this.#record = record;
    this.#base = base;
    this.#directories = directories;
  }

  /** The tree of a record. Keys that are no paths and values that are no files are left out. */
  static of(record: FilesRecord): FileTree {
    return new FileTree(record, undefined);
  }

  /** A tree that starts as this one. This one must not change afterwards. */
  fork(): FileTree {
    return new FileTree(undefined, this, new Map());
  }

  /** The tree of the record that this fork's changes made. Neither tree may change afterwards. */
  settle(record: FilesRecord): FileTree {
    const base = this.#base;
    const inherited = base === undefined ? undefined : base.#directories;
    const own = this.#directories ?? [];
    const tree = new FileTree(record, undefined, inherited && new Map([...inherited, ...own]));
    // Sorting is only carried over where it was needed before.
    if (base !== undefined && base.#sorted !== undefined) tree.#sorted = this.paths();
    return tree;
  }

  /** The file at a path. */
  file(path: string): StoredFile | undefined {
    const changed = this.#changed.get(path);
    if (changed !== undefined) return changed ?? undefined;
    if (this.#base !== undefined) return this.#base.file(path);
    const file = this.#record?.[path];
    return isStoredFile(file) ? file : undefined;
  }

  /** Returns whether a directory is there; `/` always is. */
  isDirectory(path: string): boolean {
    return path === "/" || this.#holds(path);
  }

  /** The names in a directory, in no order. */
  children(directory: string): Children | undefined {
    return this.#indexed().get(directory) ?? this.#base?.children(directory);
  }

  /** The paths of all files, in order. */
  paths(): readonly string[] {
    this.#sorted ??= this.#sort();
    return this.#sorted;
  }

  /** The paths of all files below a directory, in order. Below another than `/` this costs what lies there, and no sorting of all. */
  below(directory: string): readonly string[] {
    if (directory === "/") return this.paths();
    if (this.#sorted === undefined) return [...this.#walk(directory, prefixOf(directory))];
    return pathsBelow(this.#sorted, directory);
  }

  /** What a fork changed: files, and `null` for those that went. */
  changes(): ReadonlyMap<string, StoredFile | null> {
    return this.#changed;
  }

  set(path: string, file: StoredFile): void {
    if (this.#sorted !== undefined && this.file(path) === undefined) this.#sorted = undefined;
    this.#changed.set(path, file);
    this.#link(path, file);
  }

  delete(path: string): void {
    if (this.file(path) === undefined) return;
    this.#sorted = undefined;
    this.#changed.set(path, null);
    this.#unlink(path);
  }

  /** The files below a directory in path order, in which the name of a directory counts with its slash. */
  *#walk(directory: string, prefix: string): Generator<string> {
    const names: string[] = [];
    for (const [name, child] of this.children(directory) ?? []) {
      // Other programs may have put a file where a directory is: then it is both.
      if (child !== DIRECTORY || this.file(prefix + name) !== undefined) names.push(name);
      if (child === DIRECTORY || this.#holds(prefix + name)) names.push(`${name}/`);
    }
    for (const name of names.toSorted())
      if (name.endsWith("/")) yield* this.#walk(prefix + name.slice(0, -1), prefix + name);
      else yield prefix + name;
  }

  #holds(directory: string): boolean {
    return (this.children(directory)?.size ?? 0) > 0;
  }

  #link(path: string, file: StoredFile): void {
    let directory = parentOf(path);
    let known = this.#holds(directory);
    this.#own(directory).set(path.slice(prefixOf(directory).length), file);
    while (!known && directory !== "/") {
      const parent = parentOf(directory);
      known = this.#holds(parent);
      this.#own(parent).set(directory.slice(prefixOf(parent).length), DIRECTORY);
      directory = parent;
    }
  }

  #unlink(path: string): void {
    let gone = path;
    for (const directory of ["/", ...ancestorsOf(path)].toReversed()) {
      const children = this.#own(directory);
      const name = gone.slice(prefixOf(directory).length);
      // Other programs may have put a file where a directory is: the other of the two stays.
      const left = this.#holds(gone) ? DIRECTORY : this.file(gone);
      if (left === undefined) children.delete(name);
      else children.set(name, left);
      if (children.size > 0) return;
      gone = directory;
    }
  }

  #own(directory: string): Map<string, Child> {
    const directories = this.#indexed();
    let children = directories.get(directory);
    if (children === undefined) {
      children = new Map(this.#base?.children(directory));
      directories.set(directory, children);
    }
    return children;
  }

  #indexed(): Directories {
    if (this.#directories !== undefined) return this.#directories;
    const directories: Directories = new Map();
    this.#directories = directories;
    const record = this.#record ?? {};
    for (const path of pathsOf(record)) {
      const file = record[path];
      if (isStoredFile(file)) this.#link(path, file);
    }
    return directories;
  }

  #sort(): readonly string[] {
    if (this.#base === undefined) return pathsOf(this.#record ?? {}).toSorted(comparePaths);
    const inherited = this.#base.paths();
    const added: string[] = [];
    let removed = 0;
    for (const [path, file] of this.#changed) {
      const before = this.#base.file(path) !== undefined;
      if (file === null && before) removed++;
      if (file !== null && !before) added.push(path);
    }
    const kept =
      removed === 0 ? inherited : inherited.filter((path) => this.#changed.get(path) !== null);
    return added.length === 0 ? kept : mergeSorted(kept, added.toSorted(comparePaths));
  }
}

function pathsOf(record: FilesRecord): string[] {
  return Object.keys(record).filter((key) => isCanonicalFilePath(key) && isStoredFile(record[key]));
}

function mergeSorted(left: readonly string[], right: readonly string[]): string[] {
  const merged: string[] = [];
  let at = 0;
  for (const path of right) {
    for (let next = left[at]; next !== undefined && next < path; next = left[++at])
      merged.push(next);
    merged.push(path);
  }
  for (; at < left.length; at++) {
    const next = left[at];
    if (next !== undefined) merged.push(next);
  }
  return merged;
}
