import { applyEdits, type Replacement } from "@fs/protocol/hooks";
import { isCanonicalFilePath } from "@fs/protocol/author";
import {
  createdAt,
  isStoredFile,
  modifiedAt,
  textOf,
  withText,
  type StoredFile,
} from "./file-data.js";
import type { FileTree } from "./file-tree.js";

/** Files by path, and `null` for those to remove: what graphs' inputs and other writers send. */
export type FilesUpdate = Record<string, StoredFile | null>;

/** One acknowledged change. `n` orders the changes of a superstep, whichever tasks they came from. */
export type Operation =
  | { readonly n: number; readonly put: string; readonly file: StoredFile }
  | {
      readonly n: number;
      readonly edit: string;
      readonly edits: readonly Replacement[];
      readonly at: string;
      /** Set where the file is kept in the older form. */
      readonly v1?: true;
      /** The whole outcome, where it rests on a change of another task that may yet be dropped. */
      readonly else?: StoredFile;
    }
  | { readonly n: number; readonly remove: string }
  | { readonly n: number; readonly removeBelow: string }
  | { readonly n: number; readonly merge: FilesUpdate };

/** An operation before it has its place in the order. */
export type Change = Operation extends infer O
  ? O extends Operation
    ? Omit<O, "n">
    : never
  : never;

// Paths start with "/", so no file can be taken for this key.
const KEY = "$operations";

/** What one task of a superstep sends: its operations, to be replayed among those of the other tasks. */
export interface OperationBatch {
  readonly [KEY]: {
    /** The same for all tasks of a superstep, and for no other. */
    readonly step: string;
    readonly operations: Operation[];
  };
}

/** A batch without operations yet. */
export function batchFor(step: string): OperationBatch {
  return { [KEY]: { step, operations: [] } };
}

/** The content of a batch, or `undefined` for an update of another kind. */
export function contentOf(update: unknown): OperationBatch[typeof KEY] | undefined {
  return isBatch(update) ? update[KEY] : undefined;
}

/** What an update has in the place of its operations, whatever it is. */
export function operationsIn(update: object): unknown {
  return KEY in update ? update[KEY] : undefined;
}

function isBatch(update: unknown): update is OperationBatch {
  return typeof update === "object" && update !== null && KEY in update;
}

/** Replays one operation. What no longer applies is left out, unless the operation carries its outcome. */
export function replay(tree: FileTree, operation: Change): void {
  if ("put" in operation) tree.set(operation.put, operation.file);
  else if ("edit" in operation) replayEdit(tree, operation);
  else if ("remove" in operation) tree.delete(operation.remove);
  else if ("removeBelow" in operation)
    for (const path of tree.below(operation.removeBelow)) tree.delete(path);
  else mergeFiles(tree, operation.merge);
}

function replayEdit(tree: FileTree, operation: Extract<Change, { edit: string }>): void {
  const file = tree.file(operation.edit);
  const text = file === undefined ? undefined : textOf(operation.edit, file);
  const outcome = text === undefined ? undefined : applyEdits(text, operation.edits);
  if (file !== undefined && outcome !== undefined && outcome.refusal === undefined) {
    const format = operation.v1 === true ? "v1" : "v2";
    tree.set(operation.edit, withText(operation.edit, file, outcome.text, operation.at, format));
  } else if (operation.else !== undefined) {
    tree.set(operation.edit, operation.else);
  }
}

/** Merges files that came as a plain record. Returns what the tree cannot hold: entries whose key is no path. */
export function mergeFiles(tree: FileTree, update: FilesUpdate): FilesUpdate {
  const loose: FilesUpdate = {};
  for (const [path, file] of Object.entries(update)) {
    if (!isCanonicalFilePath(path)) loose[path] = file ?? null;
    else if (file === null || file === undefined) tree.delete(path);
    else if (isStoredFile(file) && !isStale(file, tree.file(path))) tree.set(path, dated(file));
  }
  return loose;
}

/**
 * A file that came without times gets the earliest there is, so that copies of it can be told from what was changed since. The
 * same each time, because checkpoints are rebuilt from what came.
 */
function dated(file: StoredFile): StoredFile {
  if (file.created_at !== undefined && file.modified_at !== undefined) return file;
  return { ...file, created_at: createdAt(file), modified_at: modifiedAt(file) };
}

/**
 * Tells an older version of the file that is there. A subagent hands back every file it was given; one that another
 * subagent has changed meanwhile must not return to what it was.
 */
function isStale(file: StoredFile, current: StoredFile | undefined): boolean {
  if (current?.created_at === undefined || current.created_at !== file.created_at) return false;
  return file.modified_at !== undefined && file.modified_at < modifiedAt(current);
}

/** Returns whether an operation may change what is at a path. */
export function touches(operation: Change, path: string): boolean {
  if ("put" in operation) return operation.put === path;
  if ("edit" in operation) return operation.edit === path;
  if ("remove" in operation) return operation.remove === path;
  if ("removeBelow" in operation) return path.startsWith(`${operation.removeBelow}/`);
  return path in operation.merge;
}

/** The paths that an operation is about: files, or the directory that it empties. */
export function pathsOf(operation: Change): string[] {
  if ("put" in operation) return [operation.put];
  if ("edit" in operation) return [operation.edit];
  if ("remove" in operation) return [operation.remove];
  if ("removeBelow" in operation) return [operation.removeBelow];
  return Object.keys(operation.merge);
}
