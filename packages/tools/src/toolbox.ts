import { type Filesystem, isSandboxBackend } from "@fs/protocol";
import { TOOL_NAMES, type ToolName } from "./names.js";
import { type Tool, toolOf } from "./tool.js";
import { deleteTool } from "./tools/delete.js";
import { editFileTool, multiEditTool } from "./tools/edit-file.js";
import { executeTool } from "./tools/execute.js";
import { globTool } from "./tools/glob.js";
import { grepTool } from "./tools/grep.js";
import { lsTool } from "./tools/ls.js";
import { readFileTool } from "./tools/read-file.js";
import { readFilesTool } from "./tools/read-files.js";
import { statTool } from "./tools/stat.js";
import { copyFileTool, moveFileTool } from "./tools/transfer-file.js";
import { treeTool } from "./tools/tree.js";
import { writeFileTool } from "./tools/write-file.js";

/** Every tool by its name. */
export const TOOLS: Readonly<Record<ToolName, Tool>> = {
  ls: toolOf(lsTool),
  tree: toolOf(treeTool),
  stat: toolOf(statTool),
  read_file: toolOf(readFileTool),
  read_files: toolOf(readFilesTool),
  write_file: toolOf(writeFileTool),
  edit_file: toolOf(editFileTool),
  multi_edit: toolOf(multiEditTool),
  glob: toolOf(globTool),
  grep: toolOf(grepTool),
  copy_file: toolOf(copyFileTool),
  move_file: toolOf(moveFileTool),
  delete: toolOf(deleteTool),
  execute: toolOf(executeTool),
};

/** The optional methods that tools are for; what is not in this table every backend has. */
const METHODS: Readonly<Partial<Record<ToolName, "multiEdit" | "move" | "copy" | "delete">>> = {
  multi_edit: "multiEdit",
  move_file: "move",
  copy_file: "copy",
  delete: "delete",
};

/** Whether a backend can do what a tool is for. */
export function supports(backend: Filesystem, name: ToolName): boolean {
  if (name === "execute") return isSandboxBackend(backend);
  const method = METHODS[name];
  return method === undefined || typeof backend[method] === "function";
}

/** What {@link toolsFor} leaves out. */
export interface ToolChoice {
  /** Only tools that change nothing. Default `false`. */
  readonly readOnly?: boolean;
  /** Only these. Default: all that the backend can. */
  readonly names?: readonly ToolName[];
}

/** The tools to offer over a backend, in the order of {@link TOOL_NAMES}. */
export function toolsFor(
  backend: Filesystem,
  { readOnly = false, names = TOOL_NAMES }: ToolChoice = {},
): readonly Tool[] {
  return TOOL_NAMES.filter((name) => names.includes(name) && supports(backend, name))
    .map((name) => TOOLS[name])
    .filter(({ effects }) => !readOnly || effects.readOnly);
}
