import type { BlobStore } from "@fs/changes";
import type { JournalEntry } from "./record.js";

/** Which entries to read. All of them without. */
export interface EntryQuery {
  /** Milliseconds since 1970: entries of calls that began at or after it. */
  readonly since?: number | undefined;
  /** Only calls that may touch this path. A store may answer with more. */
  readonly path?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where a journal is kept. Every method throws for a call that failed. Entries are only ever added; many processes may add
 * at once.
 */
export interface JournalStore {
  /**
   * Keeps contents and entries in one call. An entry of the same ID and phase that is there already stays as it is.
   */
  append(
    entries: readonly JournalEntry[],
    contents: readonly Uint8Array[],
    signal?: AbortSignal,
  ): Promise<void>;
  /** Entries in any order. */
  read(query: EntryQuery): Promise<JournalEntry[]>;
  /** Forgets calls. Contents stay until they are collected. */
  remove(ids: readonly string[]): Promise<void>;
  readonly blobs: BlobStore;
  /**
   * Forgets a content, unless it was stored again since: `storedAt` is the time that `blobs.list` gave it. Returns whether it
   * is forgotten. Where a store cannot do that in one step, contents that a new entry names meanwhile are put back.
   */
  removeUnchanged?(hash: string, storedAt: string): Promise<boolean>;
  /** The backend below, where there is one: a journal must not be kept in the tree that it records. */
  readonly backend?: object | undefined;
}
