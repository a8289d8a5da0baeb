import { basenameOf, parentOf } from "@fs/protocol/author";
import { openIfThere } from "../tree/open-if-there.js";
import { isAboutPath, isRefused } from "../tree/refusals.js";
import type { Directory, OpenFile, Tree } from "../tree/tree.js";

/** Opens the files of a search. Holds the directory of the last one open, as the next one mostly lies beside it. */
export class NearbyFiles {
  readonly #tree: Tree;
  readonly #onUnreadable: (() => void) | undefined;
  #path: string | undefined;
  #directory: Directory | undefined;

  /** @param onUnreadable Called when the system refuses to show a file. */
  constructor(tree: Tree, onUnreadable: (() => void) | undefined) {
    this.#tree = tree;
    this.#onUnreadable = onUnreadable;
  }

  /** A file that was seen a moment ago, open; `undefined` where it is gone or may not be read, which is no reason to lose the others. */
  open(path: string): OpenFile | undefined {
    try {
      // A name that is a link leads to another directory than its own.
      if (this.#tree.followsLinks) return openIfThere(this.#tree, path);
      return this.#directoryAt(parentOf(path)).openFile(basenameOf(path), path);
    } catch (error) {
      if (!isAboutPath(error)) throw error;
      if (isRefused(error)) this.#onUnreadable?.();
      return undefined;
    }
  }

  close(): void {
    this.#directory?.close();
    this.#directory = undefined;
    this.#path = undefined;
  }

  #directoryAt(path: string): Directory {
    if (this.#directory === undefined || this.#path !== path) {
      this.close();
      this.#directory = this.#tree.openDirectory(path);
      this.#path = path;
    }
    return this.#directory;
  }
}
