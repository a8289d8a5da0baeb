/** Options every call takes, always last. */
export interface CallOptions {
  /** Aborts the call: it answers `aborted` and leaves no file half changed. */
  signal?: AbortSignal;
}

export interface MutationOptions extends CallOptions {
  /** Only if the file's version is this one, else `conflict`. Versions come from {@link ReadResult.version}. */
  ifVersion?: string;
}

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
