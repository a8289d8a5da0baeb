import type { VolumeHit } from "@fs/protocol/author";
import type { TreeDescription } from "../tree/open-tree.js";

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
}

/** What it answers: batches in path and line order, that something may not be read, then the end. */
export type WorkerMessage =
  | { readonly hits: readonly VolumeHit[] }
  | { readonly unreadable: true }
  | { readonly done: true };
