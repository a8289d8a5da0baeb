import type { BackendProtocolV2 } from "@fs/protocol";
import { createMiddleware } from "langchain";
import { sourceOf } from "./backend-source.js";
import { ConfigurationError } from "./configuration-error.js";
import { estimateTokens } from "./offload/token-count.js";
import type { FilesystemMiddlewareOptions } from "./options.js";
import type { ToolSettings } from "./settings.js";
import { FILESYSTEM_TOOL_NAMES, isFsToolName, type FsToolName } from "./tools/names.js";
import { createTool, supports } from "./tools/toolbox.js";

/**
 * The filesystem tools of an agent, as LangChain middleware over any backend.
 *
 * @example
 * const agent = createAgent({ model, middleware: [createFilesystemMiddleware({ backend })] });
 */
export function createFilesystemMiddleware(options: FilesystemMiddlewareOptions) {
  const settings = settingsOf(options);
  const { source, known } = sourceOf(options.backend);
  const names = offered(options.tools ?? "all", known);
  const tools = names.map((name) => createTool(name, source, settings));
  return createMiddleware({
    name: "FilesystemMiddleware",
    tools,
    wrapModelCall: async (request, handler) => {
      refuseCollisions(request.tools, names);
      const { systemPrompt } = options;
      if (systemPrompt === undefined || systemPrompt === null || systemPrompt === "")
        return handler(request);
      return handler({ ...request, systemMessage: request.systemMessage.concat(systemPrompt) });
    },
  });
}

function settingsOf(options: FilesystemMiddlewareOptions): ToolSettings {
  return {
    customToolDescriptions: options.customToolDescriptions ?? {},
    countTokens: options.tokenCounter ?? estimateTokens,
    answerTokens: options.answerTokenLimit ?? 20_000,
    grepMaxCount: options.grepMaxCount === null ? Infinity : (options.grepMaxCount ?? 1000),
    maxBinaryBytes: options.maxBinaryBytes ?? 10 * 1024 * 1024,
    readBeforeEdit: options.readBeforeEdit ?? true,
    editDiff: options.editDiff ?? true,
    maxExecuteTimeout: options.maxExecuteTimeout ?? 3_600_000,
    onError: options.onError,
  };
}

/** The tools an agent gets: those allowed that the backend can, as far as it is known. */
function offered(
  allowed: readonly FsToolName[] | "all",
  backend: BackendProtocolV2 | undefined,
): FsToolName[] {
  if (allowed !== "all") {
    const unknown = allowed.filter((name) => !isFsToolName(name));
    if (unknown.length > 0) {
      throw new ConfigurationError(`'tools' names no such tool: ${unknown.join(", ")}.`);
    }
  }
  return FILESYSTEM_TOOL_NAMES.filter(
    (name) =>
      (allowed === "all" || allowed.includes(name)) &&
      (backend === undefined || supports(backend, name)),
  );
}

function refuseCollisions(tools: ReadonlyArray<unknown>, names: readonly FsToolName[]): void {
  for (const name of names) {
    const same = tools.filter(
      (tool) => typeof tool === "object" && tool !== null && "name" in tool && tool.name === name,
    );
    if (same.length > 1) throw collision(name);
  }
}

function collision(name: string): ConfigurationError {
  return new ConfigurationError(
    `Another tool is named '${name}'. Rename it, or leave '${name}' out of the filesystem middleware's 'tools'.`,
  );
}
