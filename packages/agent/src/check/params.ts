import { FILESYSTEM_TOOL_NAMES } from "@fs/middleware";
import { ConfigurationError } from "@fs/protocol";
import type { AgentMiddleware } from "langchain";
import { isRecord } from "../messages/record.js";
import type { LooseParams } from "../params.js";
import { namesOf } from "../tool-names.js";
import { generalPurposeOf } from "../subagents/general-purpose.js";
import { GENERAL_PURPOSE_SUBAGENT, isCompiled } from "../subagents/types.js";
import { checkPaths } from "./paths.js";
import { checkSummarization, checkSummarizationNames } from "./sizes.js";
import { checkSubAgents } from "./subagents.js";
import { checkInterruptOn, checkToolNames } from "./tools.js";

const OPTIONS: ReadonlySet<string> = new Set([
  "model",
  "tools",
  "systemPrompt",
  "middleware",
  "subagents",
  "backend",
  "store",
  "checkpointer",
  "skills",
  "memory",
  "interruptOn",
  "permissions",
  "responseFormat",
  "contextSchema",
  "stateSchema",
  "name",
  "streamTransformers",
  "todos",
  "summarization",
  "filesystem",
  "generalPurpose",
  "taskDescription",
  "prompts",
  "onError",
]);
const PROMPTS: ReadonlySet<string> = new Set([
  "base",
  "todos",
  "memory",
  "skills",
  "filesystem",
  "subagents",
  "approvals",
  "localContext",
]);

/** Throws a ConfigurationError that names the option, for whatever could not work. Reads and loads nothing. */
export function checkParams(params: LooseParams): void {
  checkNames(params);
  if (!isRecord(params.prompts ?? {}))
    throw new ConfigurationError("'prompts' must be an object with the parts to replace.");
  for (const option of Object.keys(params.prompts ?? {}))
    if (!PROMPTS.has(option)) throw new ConfigurationError(`'prompts' has no part '${option}'.`);
  const { subagents = [], skills, memory, summarization, onError } = params;
  if (skills !== undefined && skills !== null) checkPaths("skills", skills);
  if (memory !== undefined && memory !== null) checkPaths("memory", memory);
  if (onError !== undefined && typeof onError !== "function")
    throw new ConfigurationError("'onError' must be a function.");
  if (summarization !== undefined && summarization !== false) {
    checkSummarizationNames(summarization);
    checkSummarization(summarization);
  }
  checkFilesystem(params.filesystem);
  checkSubAgents(subagents);
  checkGeneralPurpose(params);
  checkMiddleware("middleware", params.middleware ?? []);
  checkTools(params);
}

function checkNames(params: unknown): void {
  if (!isRecord(params))
    throw new ConfigurationError("createDeepAgent takes an object of options.");
  for (const [option, value] of Object.entries(params))
    if (!OPTIONS.has(option) && value !== undefined)
      throw new ConfigurationError(`createDeepAgent has no option '${option}'.`);
}

/** What would be overwritten by the options of the agent itself. */
const OF_THE_AGENT = { backend: "backend", permissions: "permissions", otherTools: "tools" };

function checkFilesystem(filesystem: unknown): void {
  if (filesystem === undefined || filesystem === null) return;
  if (!isRecord(filesystem)) throw new ConfigurationError("'filesystem' must be an object.");
  for (const [option, own] of Object.entries(OF_THE_AGENT))
    if (filesystem[option] !== undefined)
      throw new ConfigurationError(
        `'filesystem' has no option '${option}': give '${own}' to createDeepAgent itself.`,
      );
}

function checkGeneralPurpose(params: LooseParams): void {
  const { subagents = [], generalPurpose } = params;
  if (generalPurpose === undefined || generalPurpose === null || generalPurpose === false) return;
  if (!isRecord(generalPurpose))
    throw new ConfigurationError("'generalPurpose' must be false, or an object.");
  const general = generalPurposeOf(params);
  if (general === undefined)
    throw new ConfigurationError(
      `'generalPurpose' has no effect beside a subagent named '${GENERAL_PURPOSE_SUBAGENT.name}': leave one of them out.`,
    );
  checkSubAgents([general, ...subagents]);
}

function checkMiddleware(option: string, middleware: readonly AgentMiddleware[]): void {
  const names = middleware.map(({ name }) => name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined)
    throw new ConfigurationError(`'${option}' holds '${repeated}' more than once.`);
}

function checkTools(params: LooseParams): void {
  const { tools = [], middleware = [], interruptOn } = params;
  const general = generalPurposeOf(params);
  const subagents = [...(general === undefined ? [] : [general]), ...(params.subagents ?? [])];
  const offered = params.filesystem?.tools;
  const files =
    offered === undefined || offered === null || offered === "all"
      ? FILESYSTEM_TOOL_NAMES
      : offered;
  const builtIn = [...files, ...(params.todos === false ? [] : ["write_todos"])];
  // One that replaces a built-in brings that one's tools.
  const foreign = middleware.filter(({ name }) => !REPLACEABLE.has(name));
  const own = [...namesOf(tools), ...foreign.flatMap((one) => namesOf(one.tools ?? []))];
  checkToolNames("'tools'", own, [...builtIn, "task"]);
  const staging = params.filesystem?.staging ? STAGING_TOOLS : [];
  const all = [...own, ...files, ...staging];
  all.push(...middleware.flatMap((one) => namesOf(one.tools ?? [])));
  for (const subagent of subagents) {
    if (isCompiled(subagent)) continue;
    const extra = (subagent.middleware ?? []).flatMap((one) => namesOf(one.tools ?? []));
    checkMiddleware(`subagents.${subagent.name}.middleware`, subagent.middleware ?? []);
    checkToolNames(`Subagent '${subagent.name}'`, namesOf(subagent.tools ?? []), files);
    all.push(...namesOf(subagent.tools ?? []), ...extra);
  }
  if (interruptOn) checkInterruptOn("interruptOn", interruptOn, all);
  for (const subagent of subagents)
    if (!isCompiled(subagent) && subagent.interruptOn)
      checkInterruptOn(`subagents.${subagent.name}.interruptOn`, subagent.interruptOn, all);
}

/** What staging adds to the tools for files. */
const STAGING_TOOLS = ["changes", "diff"];

const REPLACEABLE: ReadonlySet<string> = new Set([
  "todoListMiddleware",
  "FilesystemMiddleware",
  "subAgentMiddleware",
]);
