import { type Filesystem, ConfigurationError } from "@fs/protocol";
import { canonicalPath } from "@fs/protocol/author";
import {
  isRecord,
  isToolName,
  supports,
  TOOL_NAMES,
  type ToolSettings,
  toolSettings,
} from "@fs/tools";
import type { FilesystemMiddlewareOptions } from "./options.js";
import { FILESYSTEM_TOOL_NAMES, type FsToolName } from "./tool-names.js";

/** Every option, so that a misspelt one is not silently the default. */
const OPTIONS: Readonly<Record<keyof FilesystemMiddlewareOptions, true>> = {
  backend: true,
  systemPrompt: true,
  customToolDescriptions: true,
  tools: true,
  otherTools: true,
  permissions: true,
  staging: true,
  toolTokenLimitBeforeEvict: true,
  humanMessageTokenLimitBeforeEvict: true,
  artifactsRoot: true,
  tokenCounter: true,
  grepMaxCount: true,
  answerTokenLimit: true,
  maxBinaryBytes: true,
  readBeforeEdit: true,
  editDiff: true,
  maxExecuteTimeout: true,
  onError: true,
};

/** Throws a TypeError for an option that does not exist, and for options that are no object. */
export function refuseUnknownOptions(options: unknown): void {
  if (!isRecord(options)) throw new TypeError("The options of the middleware must be an object.");
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown.length === 0) return;
  const known = Object.keys(OPTIONS).join(", ");
  throw new TypeError(`There is no option '${unknown.join("', '")}'. The options are ${known}.`);
}

/** The options with every default filled in. */
export function settingsOf(options: FilesystemMiddlewareOptions): ToolSettings {
  return toolSettings({
    countTokens: options.tokenCounter ?? undefined,
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
export function artifactsRootOf(path = "/large_tool_results/"): string {
  const canonical = canonicalPath(path);
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
