import { TOOL_NAMES, type ToolName } from "@fs/tools";

/** The name of one of the filesystem tools. */
export type FsToolName = ToolName;

/** Tools that are offered only where they are named: what they do, the others can, in more calls. */
const ON_REQUEST: ReadonlySet<FsToolName> = new Set(["tree", "stat", "read_files", "copy_file"]);

/** Every tool that is offered unless `tools` says otherwise, in the order a model sees them. */
export const FILESYSTEM_TOOL_NAMES: readonly FsToolName[] = TOOL_NAMES.filter(
  (name) => !ON_REQUEST.has(name),
);

/**
 * Tools whose results are never moved out of the conversation: they cut their own output and say how to get the rest,
 * or only confirm. `execute` alone can return more than it can cut with sense.
 */
export const TOOLS_EXCLUDED_FROM_EVICTION: readonly FsToolName[] = TOOL_NAMES.filter(
  (name) => name !== "execute",
);
