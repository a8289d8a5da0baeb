import type { StoredFile, FilesRecord } from "./file-data.js";
import type { FileTree } from "./file-tree.js";
import { replay, type Change, type FilesUpdate } from "./operations.js";
import type { Workspace } from "./state-volume.js";
import { treeOf } from "./trees.js";

/** What the deprecated constructor is given: a runtime with the state of the graph at that moment. */
export interface StateRuntime {
  readonly state: unknown;
}

/** Tells a runtime from options. */
export function isStateRuntime(value: unknown): value is StateRuntime {
  return typeof value === "object" && value !== null && "state" in value;
}

/**
 * Files of a state that was handed over. Changes are seen by this backend only; what it answers carries them, for the
 * caller to apply.
 */
export class RuntimeFiles implements Workspace {
  readonly #runtime: StateRuntime;
  #tree: FileTree | undefined;
  #handedOver = new Map<string, StoredFile | null>();

  constructor(runtime: StateRuntime) {
    this.#runtime = runtime;
  }

  keepsReferences(): boolean {
    return false;
  }

  view(): FileTree {
    this.#tree ??= treeOf(filesOf(this.#runtime)).fork();
    return this.#tree;
  }

  acknowledge(change: Change): undefined {
    replay(this.view(), change);
  }

  /** What changed since it was last asked: files by path, `null` for those that went. */
  takeUpdate(): FilesUpdate {
    const changes = [...this.view().changes()];
    const fresh = changes.filter(([path, file]) => this.#handedOver.get(path) !== file);
    this.#handedOver = new Map(changes);
    return Object.fromEntries(fresh);
  }
}

function filesOf({ state }: StateRuntime): FilesRecord {
  const files = typeof state === "object" && state !== null && "files" in state ? state.files : {};
  return typeof files === "object" && files !== null ? (files as FilesRecord) : {};
}
