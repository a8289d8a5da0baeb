/** Options every call takes, always last. */
export interface CallOptions {
  /** Aborts the call: it answers `aborted` and leaves no file half changed. */
  signal?: AbortSignal;
}

/** Options of `ls` and `glob`. */
export interface PageOptions extends CallOptions {
  /** Entries at most. More are announced by `truncated` and continued with {@link after}. Default: all. */
  limit?: number;
  /** Entries that sort after this path only: the `nextAfter` of the page before. Default: from the start. */
  after?: string;
}

export interface MutationOptions extends CallOptions {
  /** Only if the file's version is this one, else `conflict`. Versions come from `stat`, `read`, listings and every change. */
  ifVersion?: string;
}

export interface WriteOptions extends MutationOptions {
  /** Only if nothing stands there, else `already_exists`, also where the backend overwrites. Not together with `ifVersion`. */
  ifAbsent?: boolean;
}

/** What must be true of one file of an upload. At most one of the two; without either the file is replaced. */
export interface UploadCondition {
  /** Nothing stands there, else `already_exists`. */
  readonly ifAbsent?: boolean;
  /** The file has this version, else `conflict`. */
  readonly ifVersion?: string;
}

/** One file of an upload: where, what, and on which condition. */
export type UploadFile = [path: string, content: Uint8Array, condition?: UploadCondition];

export interface TransferOptions extends CallOptions {
  /** Replace a file that stands at the destination. Default `false`: `already_exists`. */
  overwrite?: boolean;
}

export interface GrepOptions extends CallOptions {
  /** Compare lower-cased text, as `String.prototype.toLowerCase` gives it. Default `false`. */
  ignoreCase?: boolean;
  /** The pattern is a regular expression in RE2 syntax, which runs in linear time. Needs the `re2js` package. Default `false`. */
  regex?: boolean;
  /** Lines of context before each match. Default 0. */
  before?: number;
  /** Lines of context after each match. Default 0. */
  after?: number;
}

export interface ExecuteOptions extends CallOptions {
  /** Seconds until the command and all it started are killed; fractions count, 0 means no limit. Default: the backend's. */
  timeout?: number;
}

/** One replacement of a multi-edit. */
export interface EditOperation {
  old: string;
  new: string;
  /** Replace every occurrence. Default `false`: `old` must occur exactly once. */
  replaceAll?: boolean;
}
