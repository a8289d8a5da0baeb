import type { FsToolName } from "./tool-names.js";

const WHAT_FOR: Readonly<Record<FsToolName, string>> = {
  ls: "list a directory",
  tree: "show a directory with all below it",
  stat: "size, times and version of a file",
  read_file: "read a file, page by page",
  read_files: "read the beginning of several files",
  write_file: "create a file",
  edit_file: "replace text in a file",
  multi_edit: "make several replacements in one file",
  glob: "find files by name",
  grep: "search file contents",
  copy_file: "copy",
  move_file: "move or rename",
  delete: "delete a file or directory",
  execute: "run a shell command",
};

/**
 * A short guide to the filesystem for a system prompt. It mentions the given tools and no other.
 *
 * @example
 * createFilesystemMiddleware({ backend, systemPrompt: filesystemPrompt });
 */
export function filesystemPrompt(tools: readonly FsToolName[]): string {
  const listed = tools.map((name) => `- ${name}: ${WHAT_FOR[name]}`);
  return ["You have a filesystem. Paths are absolute and start with '/'.", ...listed].join("\n");
}
