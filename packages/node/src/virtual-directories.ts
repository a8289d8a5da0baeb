import { ancestorsOf, isWithin, parentOf } from "@fs/protocol/author";

/**
 * The directories that `mkdir` made where no file is yet: storages with implicit directories cannot keep them. One is gone
 * once a file is below it, as the storage then shows it.
 */
export class VirtualDirectories {
  readonly #made = new Map<string, Date>();

  add(path: string): void {
    if (path !== "/" && !this.#made.has(path)) this.#made.set(path, new Date());
  }

  /** When the directory was made; `undefined` where there is none. One that holds another exists with it. */
  madeAt(path: string): Date | undefined {
    const own = this.#made.get(path);
    if (own !== undefined) return own;
    for (const [made, at] of this.#made) if (isWithin(made, path)) return at;
    return undefined;
  }

  /** The names of those right in a directory. */
  namesIn(directory: string): Set<string> {
    const names = new Set<string>();
    for (const made of this.#made.keys())
      for (const path of ancestorsOf(made).concat(made))
        if (parentOf(path) === directory) names.add(path.slice(path.lastIndexOf("/") + 1));
    return names;
  }

  /** Forgets the directories above a file that was stored. */
  dropAbove(file: string): void {
    for (const above of ancestorsOf(file)) this.#made.delete(above);
  }

  /** Forgets a directory and all below it. Returns whether there was one. */
  dropWithin(directory: string): boolean {
    const gone = [...this.#made.keys()].filter((made) => isWithin(made, directory));
    for (const made of gone) this.#made.delete(made);
    return gone.length > 0;
  }

  /** Moves a directory and all below it. */
  move(from: string, to: string): void {
    const moved = [...this.#made.keys()].filter((made) => isWithin(made, from));
    for (const made of moved) {
      this.#made.delete(made);
      this.add(to + made.slice(from.length));
    }
  }
}
