import { lstatSync, readlinkSync } from "node:fs";
import { isAbsolute } from "node:path";
import { segmentsOf, VolumeError } from "@fs/protocol/author";
import type { Making } from "./make-directory.js";
import { linkEscapes } from "./refusals.js";
import type { Containment, Directory, OpenFile, Tree } from "./tree.js";

/** Links followed on the way to one file, as Linux has it. */
const MAX_LINKS = 40;

/**
 * Follows links that stay inside the root. A path is rewritten without links first; then the strict tree below opens
 * what that path names, so that a link put there in between is refused, not followed.
 */
export class LinkedTree implements Tree {
  readonly followsLinks = true;
  readonly #strict: Tree;

  constructor(strict: Tree) {
    this.#strict = strict;
  }

  get root(): string {
    return this.#strict.root;
  }

  get containment(): Containment {
    return this.#strict.containment;
  }

  locate(path: string): string {
    const ahead = segmentsOf(path).toReversed();
    const done: string[] = [];
    let links = 0;
    for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
      if (name === "" || name === ".") continue;
      if (name === "..") {
        if (done.pop() === undefined) throw linkEscapes(path);
        continue;
      }
      const target = this.#targetOf(done, name);
      if (target === undefined) {
        done.push(name);
        continue;
      }
      if (++links > MAX_LINKS) throw linkEscapes(path);
      if (isAbsolute(target)) done.length = 0;
      ahead.push(...this.#insideNames(target, path).toReversed());
    }
    return `/${done.join("/")}`;
  }

  openDirectory(path: string): Directory {
    return this.#strict.openDirectory(this.locate(path));
  }

  makeDirectory(path: string, making: Making): Directory {
    return this.#strict.makeDirectory(this.locate(path), making);
  }

  openFile(path: string): OpenFile {
    return this.#strict.openFile(this.locate(path));
  }

  /** Where a name leads, when it is a link. What is missing or no directory is for the strict tree to report. */
  #targetOf(parent: readonly string[], name: string): string | undefined {
    let directory: Directory;
    try {
      directory = this.#strict.openDirectory(`/${parent.join("/")}`);
    } catch (error) {
      if (VolumeError.isInstance(error)) return undefined;
      throw error;
    }
    try {
      const host = directory.at(name);
      const stats = lstatSync(host, { throwIfNoEntry: false });
      return stats?.isSymbolicLink() === true ? readlinkSync(host) : undefined;
    } finally {
      directory.close();
    }
  }

  #insideNames(target: string, path: string): string[] {
    if (!isAbsolute(target)) return target.split("/");
    const prefix = this.root === "/" ? "/" : `${this.root}/`;
    if (target !== this.root && !target.startsWith(prefix)) throw linkEscapes(path);
    return target.slice(prefix.length).split("/");
  }
}
