import { type Filesystem, ConfigurationError } from "@fs/protocol";
import { canonicalPath, guardListener } from "@fs/protocol/author";
import { isToolName, supports, TOOL_NAMES, type ToolSettings, toolSettings } from "@fs/tools";
import { dependableCounter } from "./dependable-counter.js";
import type { FilesystemMiddlewareOptions } from "./options.js";
import { FILESYSTEM_TOOL_NAMES, type FsToolName } from "./tool-names.js";

/** The options with every default filled in. */
export function settingsOf(options: FilesystemMiddlewareOptions): ToolSettings {
  const { tokenCounter } = options;
  const report = (error: unknown): void =>
    guardListener(() => options.onError?.(error, { tool: "tokenCounter" }));
  return toolSettings({
    countTokens:
      typeof tokenCounter === "function"
        ? dependableCounter(tokenCounter, report)
        : (tokenCounter ?? undefined),
    answerTokens: options.answerTokenLimit ?? undefined,
    grepMaxCount: options.grepMaxCount === null ? Infinity : options.grepMaxCount,
    maxBinaryBytes: options.maxBinaryBytes ?? undefined,
    readBeforeEdit: options.readBeforeEdit ?? undefined,
    editDiff: options.editDiff ?? undefined,
    maxExecuteTimeout: options.maxExecuteTimeout ?? undefined,
    onError: options.onError ?? undefined,
  });
}

/** The tools that were asked for. Throws a {@link ConfigurationError} for a name that is none. */
export function allowedTools(
  tools: FilesystemMiddlewareOptions["tools"],
  staged = false,
): readonly FsToolName[] {
  if (tools === undefined || tools === null || tools === "all")
    return FILESYSTEM_TOOL_NAMES.filter((name) => !staged || name !== "execute");
  const unknown = tools.filter((name) => !isToolName(name));
  if (unknown.length > 0) {
    throw new ConfigurationError(`'tools' names no such tool: ${unknown.join(", ")}.`);
  }
  if (staged && tools.includes("execute"))
    throw new ConfigurationError("'execute' would not see staged files; leave it out of 'tools'.");
  return TOOL_NAMES.filter((name) => tools.includes(name));
}

/** The tools an agent gets: those allowed that the backend can, where it is known. */
export function offeredTools(
  allowed: readonly FsToolName[],
  backend: Filesystem | undefined,
): readonly FsToolName[] {
  return allowed.filter((name) => backend === undefined || supports(backend, name));
}

/** The canonical directory for large results. */
export function artifactsRootOf(path: FilesystemMiddlewareOptions["artifactsRoot"]): string {
  const canonical = canonicalPath(path ?? "/large_tool_results/");
  if (canonical.failure !== undefined) {
    throw new ConfigurationError(`'artifactsRoot': ${canonical.failure.error}`);
  }
  return canonical.path;
}

/** Throws a {@link ConfigurationError} when two tools have the same name, of which a model could call only one. */
export function refuseCollisions(
  others: readonly unknown[],
  names: readonly string[],
  allowedOnce: boolean,
): void {
  for (const name of names) {
    const same = others.filter(
      (tool) => typeof tool === "object" && tool !== null && "name" in tool && tool.name === name,
    );
    if (same.length > (allowedOnce ? 1 : 0)) {
      throw new ConfigurationError(
        `Another tool is named '${name}'. Rename it, or leave '${name}' out of the filesystem middleware's 'tools'.`,
      );
    }
  }
}
