/** Every tool this middleware can offer, in the order a model sees them. */
export const FILESYSTEM_TOOL_NAMES = [
  "ls",
  "read_file",
  "write_file",
  "edit_file",
  "multi_edit",
  "glob",
  "grep",
  "move_file",
  "delete",
  "execute",
] as const;

/** The name of one of the filesystem tools. */
export type FsToolName = (typeof FILESYSTEM_TOOL_NAMES)[number];

/** Tells whether a name is one of {@link FILESYSTEM_TOOL_NAMES}. */
export function isFsToolName(name: unknown): name is FsToolName {
  return FILESYSTEM_TOOL_NAMES.some((known) => known === name);
}

/**
 * Tools whose results are never moved out of the conversation: they cut their own output and say how to get the rest,
 * or only confirm. `execute` alone can return more than it can cut with sense.
 */
export const TOOLS_EXCLUDED_FROM_EVICTION: readonly FsToolName[] = FILESYSTEM_TOOL_NAMES.filter(
  (name) => name !== "execute",
);
