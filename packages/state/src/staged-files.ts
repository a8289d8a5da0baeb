import { FileTree } from "./file-tree.js";
import { replay, type Change } from "./operations.js";
import type { Workspace } from "./state-volume.js";

/** Changes made outside a run, until one takes them along. */
export class StagedFiles implements Workspace {
  #changes: Change[] = [];
  #tree = FileTree.of({}).fork();

  keepsReferences(): boolean {
    return false;
  }

  view(): FileTree {
    return this.#tree;
  }

  acknowledge(change: Change): undefined {
    replay(this.#tree, change);
    this.#changes.push(change);
  }

  /** What is staged, in order. */
  changes(): readonly Change[] {
    return this.#changes;
  }

  /** Hands over what was staged, and starts again with nothing. */
  take(): readonly Change[] {
    const changes = this.#changes;
    if (changes.length > 0) {
      this.#changes = [];
      this.#tree = FileTree.of({}).fork();
    }
    return changes;
  }
}
