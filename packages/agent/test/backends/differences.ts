/** A difference between the packages that programs see. */
export interface Difference {
  /** Programs and observations that it is about. */
  readonly programs: RegExp;
  readonly observations: RegExp;
  /** What differs, as the first cell of its row in docs/migrating-from-deepagents.md, which says why and what to do. */
  readonly row: string;
  /** The warning that a program gets which would go wrong without noticing. */
  readonly warning?: string;
}

/** Every way in which a program sees the other package: what is not listed here is the same. */
export const DIFFERENCES: readonly Difference[] = [
  {
    programs: /^(?!adapters)/,
    observations: /^(write over a file|read what was written over)$/,
    row: "`write` on a file that is there",
  },
  {
    programs: /./,
    observations: /^ls of a missing directory$/,
    row: "`ls` of a missing directory",
  },
  { programs: /./, observations: /^read a page$/, row: "the end of a page of `read`" },
  {
    programs: /^(FilesystemBackend|LocalShellBackend)$/,
    observations: /^readRaw of a missing file$/,
    row: "a thrown error of a backend",
  },
  {
    programs: /^FilesystemBackend without virtualMode$/,
    observations: /^the file is there$/,
    row: "`FilesystemBackend({ rootDir, virtualMode: false })` by default",
    warning: "FS_HOST_PATH",
  },
  {
    programs: /^BaseSandbox$/,
    observations: /^read( |$)/,
    row: "`read` as a text with line numbers (V1, `BaseSandbox`)",
  },
  {
    programs: /^(BaseSandbox|LocalShellBackend)$/,
    observations: /^glob/,
    row: "paths from `glob` of `BaseSandbox` and `LocalShellBackend`",
  },
  {
    programs: /^BaseSandbox$/,
    observations: /^grep with a cap$/,
    row: "which matches a cap of `grep` keeps",
  },
  {
    programs: /^ContextHubBackend$/,
    observations: /^ls( with a slash)?$/,
    row: "directories in `ls` of `ContextHubBackend`",
  },
  {
    programs: /^ContextHubBackend$/,
    observations: /^glob/,
    row: '`glob("*.md")` finds at any depth on some backends',
  },
  {
    programs: /^LocalShellBackend$/,
    observations: /^no inheritEnv$/,
    row: "`HOME` of a command without `inheritEnv`",
  },
  {
    programs: /^LocalShellBackend$/,
    observations: /^a timeout$/,
    row: "the exit code of a command that was cut off",
  },
];
