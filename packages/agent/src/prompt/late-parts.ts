import { FILESYSTEM_TOOL_NAMES } from "@fs/middleware";
import type { AgentMiddleware } from "langchain";
import { namesOf } from "../tool-names.js";
import { promptPart } from "./assemble.js";
import { filesystemPart, partOf, type Prompts } from "./sections.js";

/** After the filesystem's own middleware, which by then has left only the tools that the backend can. */
export function filesystemPrompt({ filesystem }: Prompts): AgentMiddleware {
  return promptPart("FilesystemPrompt", ({ tools }) =>
    partOf(filesystem, filesystemPart(offeredAmong(namesOf(tools)))),
  );
}

function offeredAmong(names: readonly string[]) {
  return FILESYSTEM_TOOL_NAMES.filter((name) => names.includes(name));
}

/** What the app knows of the moment, after everything that can be cached. */
export function localContext(part: Prompts["localContext"]): AgentMiddleware[] {
  if (part === undefined || part === false) return [];
  return [promptPart("LocalContext", () => (typeof part === "function" ? part() : part))];
}
