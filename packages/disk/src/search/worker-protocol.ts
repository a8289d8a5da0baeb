import type { VolumeHit } from "@fs/protocol/author";
import type { TreeDescription } from "../tree/open-tree.js";

/** Batches that a search thread may be ahead of its reader. */
export const BATCHES_AHEAD = 8;

/** What a search thread is started with. */
export interface WorkerRequest {
  readonly tree: TreeDescription;
  readonly pattern: {
    readonly source: string;
    readonly regex: boolean;
    readonly ignoreCase: boolean;
  };
  /** The directory that the filter is relative to. */
  readonly root: string;
  /** The directory to walk: `root` or below. */
  readonly start: string;
  /** The source of the file filter, compiled. */
  readonly glob: string | undefined;
  readonly limit: number;
  /** What sorts up to this path was searched already. */
  readonly after: string | undefined;
  /** One number in memory that both threads share: the batches that were sent and not read yet. */
  readonly unread: Int32Array;
}

/** What it answers: batches in path and line order, that something may not be read, then the end. */
export type WorkerMessage =
  | { readonly hits: readonly VolumeHit[] }
  | { readonly unreadable: true }
  | { readonly done: true };
