import { statSync } from "node:fs";
import { basenameOf, parentOf } from "@fs/protocol/author";
import type { Making } from "../tree/make-directory.js";
import type { Directory, Tree } from "../tree/tree.js";

/** A name in an open directory: where a file stands or will stand. */
export interface Place {
  readonly directory: Directory;
  readonly name: string;
  /** The host path of the name. */
  readonly host: string;
  /** What its lock is called: the same for every path that leads here. */
  lockKey(): string;
}

/**
 * Runs a task at a path's place and lets go of its directory.
 *
 * @param create How missing parents are made; `false`: not at all. Throws what {@link Tree.openDirectory} throws.
 */
export async function atPlace<T>(
  tree: Tree,
  path: string,
  create: Making | false,
  task: (place: Place) => Promise<T>,
): Promise<T> {
  const parent = parentOf(path);
  const directory = create ? tree.makeDirectory(parent, create) : tree.openDirectory(parent);
  try {
    const name = basenameOf(path);
    const host = directory.at(name);
    return await task({ directory, name, host, lockKey: () => lockKeyOf(directory, name) });
  } finally {
    directory.close();
  }
}

/** What the lock of a name in a directory is called. */
export function lockKeyOf(directory: Directory, name: string): string {
  const { dev, ino } = statSync(`${directory.self}/.`, { bigint: true });
  return `${dev}:${ino}/${name}`;
}
