import type { ErrorCode } from "../errors/codes.js";
import type { CallOptions } from "./options.js";
import type { MaybePromise } from "./outcome.js";

/** A change by any client of the storage. */
export interface FileChange {
  /** What became of the file. `"changed"` of the watched path itself: anything at or below it may have changed, or be gone. */
  readonly type: "created" | "changed" | "deleted";
  /** Absolute and canonical, without a slash at its end. */
  readonly path: string;
}

/** What `watch` answers. */
export type WatchResult =
  | {
      /** Read by one reader, with `for await`. It ends with the signal, a `break`, or the backend; it never throws. */
      changes: AsyncIterable<FileChange>;
      error?: never;
      code?: never;
    }
  | { changes?: never; error: string; code: ErrorCode };

/**
 * What a backend may offer besides the protocol: to tell of changes as they happen (rules V1 to V3 of
 * `docs/semantics.md`). Wrappers and composites leave it out, so that nobody hears past a permission or a quota.
 */
export interface WatchableBackend {
  /**
   * @param path Where to listen: a directory with all below it, or a file. Default `"/"`.
   * @returns `changes` from the moment it answers; or `error` and `code`: `invalid_path`, `unsupported`, `unavailable`,
   * `permission_denied`, `aborted`.
   * @example
   * const { changes, error } = await files.watch("/inbox");
   * for await (const { type, path } of changes ?? []) console.log(type, path);
   */
  watch(path?: string, options?: CallOptions): MaybePromise<WatchResult>;
}
