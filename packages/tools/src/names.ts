/** Every tool, in the order a model sees them. */
export const TOOL_NAMES = [
  "ls",
  "tree",
  "stat",
  "read_file",
  "read_files",
  "write_file",
  "edit_file",
  "multi_edit",
  "glob",
  "grep",
  "copy_file",
  "move_file",
  "delete",
  "execute",
] as const;

/** The name of one of the tools. */
export type ToolName = (typeof TOOL_NAMES)[number];

/** Whether a value is one of {@link TOOL_NAMES}. */
export function isToolName(name: unknown): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}
