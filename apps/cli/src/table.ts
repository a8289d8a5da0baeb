import type { Run } from "./context.js";

/** A command as the help shows it, and the file that does it. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** As commander has them: `<needed>`, `[optional]`, `<many...>`. */
  readonly args?: string;
  /** Flags and what they mean. */
  readonly options?: ReadonlyArray<readonly [flags: string, meaning: string]>;
  /** Whether it is there to change files. */
  readonly changes?: true;
  readonly load: () => Promise<{ readonly run: Run }>;
}

const IF_VERSION = ["--if-version <version>", "fail unless the file has this version"] as const;
const OVERWRITE = ["--overwrite", "replace what is there"] as const;

/** Every command, in the order of the help: a line here and a file in `commands`. */
export const COMMANDS: readonly Command[] = [
  {
    name: "ls",
    summary: "list a directory",
    args: "[path]",
    options: [["-l, --long", "with sizes, times and versions"]],
    load: () => import("./commands/ls.js"),
  },
  {
    name: "tree",
    summary: "show all below a directory",
    args: "[path]",
    options: [["--depth <levels>", "at most so many levels (default 5)"]],
    load: () => import("./commands/tree.js"),
  },
  {
    name: "stat",
    summary: "size, times and version of a file",
    args: "<path>",
    load: () => import("./commands/stat.js"),
  },
  {
    name: "read",
    summary: "print a file, or lines of it",
    args: "<path>",
    options: [
      ["--offset <line>", "first line, from 0"],
      ["--limit <lines>", "at most so many lines"],
    ],
    load: () => import("./commands/read.js"),
  },
  {
    name: "write",
    summary: "create a file from a local one or -",
    args: "<path> [file]",
    options: [OVERWRITE, IF_VERSION],
    changes: true,
    load: () => import("./commands/write.js"),
  },
  {
    name: "edit",
    summary: "replace exact text in a file",
    args: "<path> <old> <new>",
    options: [["--all", "every occurrence"], ["--dry-run", "only show the diff"], IF_VERSION],
    changes: true,
    load: () => import("./commands/edit.js"),
  },
  {
    name: "rm",
    summary: "remove files and directories",
    args: "<paths...>",
    options: [IF_VERSION],
    changes: true,
    load: () => import("./commands/rm.js"),
  },
  {
    name: "mv",
    summary: "move or rename",
    args: "<from> <to>",
    options: [OVERWRITE],
    changes: true,
    load: () => import("./commands/mv.js"),
  },
  {
    name: "cp",
    summary: "copy",
    args: "<from> <to>",
    options: [OVERWRITE],
    changes: true,
    load: () => import("./commands/cp.js"),
  },
  {
    name: "glob",
    summary: "find files by pattern",
    args: "<pattern> [path]",
    load: () => import("./commands/glob.js"),
  },
  {
    name: "grep",
    summary: "search contents for literal text",
    args: "<pattern> [path]",
    options: [
      ["-g, --glob <pattern>", "only these files"],
      ["-i, --ignore-case", "without case"],
      ["-C, --context <lines>", "lines around each match"],
      ["-m, --max <matches>", "at most so many matches"],
    ],
    load: () => import("./commands/grep.js"),
  },
  {
    name: "exec",
    summary: "run a command in the sandbox at /",
    args: "<command...>",
    options: [["--timeout <seconds>", "end it after so long"]],
    load: () => import("./commands/exec.js"),
  },
  {
    name: "upload",
    summary: "store local files below a directory",
    args: "<patterns...>",
    options: [["--to <path>", "the directory (default /)"], OVERWRITE],
    changes: true,
    load: () => import("./commands/upload.js"),
  },
  {
    name: "download",
    summary: "fetch to a local folder, or to -",
    args: "<path> <folder>",
    options: [OVERWRITE],
    load: () => import("./commands/download.js"),
  },
  {
    name: "diff",
    summary: "what is staged as a patch, or how two files differ",
    args: "[before] [after]",
    load: () => import("./commands/diff.js"),
  },
  {
    name: "changes",
    summary: "list what is staged",
    args: "[globs...]",
    load: () => import("./commands/changes.js"),
  },
  {
    name: "commit",
    summary: "write what is staged into the routes",
    args: "[globs...]",
    options: [
      ["--merge", "merge texts that others changed elsewhere"],
      ["--dry-run", "only say what would become of each file"],
    ],
    load: () => import("./commands/commit.js"),
  },
  {
    name: "discard",
    summary: "take staged changes back",
    args: "[globs...]",
    options: [["--all", "everything that is staged"]],
    load: () => import("./commands/discard.js"),
  },
  {
    name: "log",
    summary: "what was changed, by whom, when",
    args: "[path]",
    load: () => import("./commands/log.js"),
  },
  {
    name: "blame",
    summary: "who wrote each line of a file",
    args: "<path>",
    load: () => import("./commands/blame.js"),
  },
  {
    name: "undo",
    summary: "take recorded changes back",
    args: "[record]",
    options: [
      ["--turn <id>", "those of a turn"],
      ["--thread <id>", "those of a thread"],
      ["--tool-call <id>", "those of a tool call"],
      ["--actor <name>", "those made by this actor"],
      ["--since <time>", "those since a time (ISO 8601)"],
      ["--only <glob>", "only these files"],
    ],
    load: () => import("./commands/undo.js"),
  },
  {
    name: "redo",
    summary: "take an undo back",
    args: "<record>",
    load: () => import("./commands/redo.js"),
  },
  {
    name: "snapshot",
    summary: "keep the files as they are under a name",
    args: "<name> [glob]",
    load: () => import("./commands/snapshot.js"),
  },
  {
    name: "restore",
    summary: "files as in a snapshot, or at a time",
    args: "[name]",
    options: [
      ["--at <time>", "as they were then (ISO 8601)"],
      ["--only <glob>", "only these files"],
      ["--dry-run", "only say what would become of each file"],
    ],
    load: () => import("./commands/restore.js"),
  },
  {
    name: "doctor",
    summary: "probe every route",
    load: () => import("./commands/doctor.js"),
  },
  {
    name: "conformance",
    summary: "run the suite on a route's storage",
    args: "<route>",
    options: [["--tier <tier>", "quick (default) or full"]],
    load: () => import("./commands/conformance.js"),
  },
  {
    name: "config",
    summary: "show the configuration, or its schema",
    args: "[what]",
    load: () => import("./commands/config.js"),
  },
  {
    name: "completion",
    summary: "completion for bash, zsh or fish",
    args: "<shell>",
    load: () => import("./commands/completion.js"),
  },
  {
    name: "mcp",
    summary: "serve MCP clients, on stdio or HTTP",
    options: [
      ["--write", "offer tools that change files"],
      ["--http", "over streamable HTTP"],
      ["--host <address>", "listen here (default 127.0.0.1)"],
      ["--port <port>", "(default: one that is free)"],
      ["--token-env <name>", "the variable that holds the bearer token"],
      ["--allowed-host <names...>", "further names in the Host header"],
      ["--skills <path>", "serve the skills in this directory"],
    ],
    load: () => import("./commands/mcp.js"),
  },
];
