import { type Filesystem, isSandboxBackend } from "@fs/protocol";
import type { BackendSource } from "../backend-source.js";
import type { ToolSettings } from "../settings.js";
import { bindTool } from "./define-tool.js";
import { deleteTool } from "./delete.js";
import { editFileTool, multiEditTool } from "./edit-file.js";
import { executeTool } from "./execute.js";
import { globTool } from "./glob.js";
import { grepTool } from "./grep.js";
import { lsTool } from "./ls.js";
import { moveFileTool } from "./move-file.js";
import type { FsToolName } from "./names.js";
import { readFileTool } from "./read-file.js";
import { writeFileTool } from "./write-file.js";

/** Tells whether a backend can do what a tool is for. */
export function supports(backend: Filesystem, name: FsToolName): boolean {
  switch (name) {
    case "multi_edit":
      return typeof backend.multiEdit === "function";
    case "move_file":
      return typeof backend.move === "function";
    case "delete":
      return typeof backend.delete === "function";
    case "execute":
      return isSandboxBackend(backend);
    default:
      return true;
  }
}

/** The LangChain tool of a name, bound to a backend. */
export function createTool(name: FsToolName, source: BackendSource, settings: ToolSettings) {
  switch (name) {
    case "ls":
      return bindTool(lsTool, source, settings);
    case "read_file":
      return bindTool(readFileTool, source, settings);
    case "write_file":
      return bindTool(writeFileTool, source, settings);
    case "edit_file":
      return bindTool(editFileTool, source, settings);
    case "multi_edit":
      return bindTool(multiEditTool, source, settings);
    case "glob":
      return bindTool(globTool, source, settings);
    case "grep":
      return bindTool(grepTool, source, settings);
    case "move_file":
      return bindTool(moveFileTool, source, settings);
    case "delete":
      return bindTool(deleteTool, source, settings);
    case "execute":
      return bindTool(executeTool, source, settings);
  }
}
