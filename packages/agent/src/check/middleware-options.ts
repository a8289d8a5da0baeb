import type { ApprovalMiddlewareOptions } from "../approvals/middleware.js";
import type { SummarizationMiddlewareOptions } from "../context/middleware.js";
import type { MemoryMiddlewareOptions } from "../memory/middleware.js";
import type { SkillsMiddlewareOptions } from "../skills/middleware.js";
import type { SubAgentMiddlewareOptions } from "../subagents/middleware.js";
import { isCompiled, type SubAgent } from "../subagents/types.js";
import { namesOf } from "../tool-names.js";
import { checkOptionNames, type OptionNames } from "./option-names.js";
import { checkPaths } from "./paths.js";
import { checkSummarization, SUMMARIZATION_OPTIONS } from "./sizes.js";
import { checkSubAgents } from "./subagents.js";
import { checkInterruptOn, checkRules } from "./tools.js";

const READING = {
  backend: true,
  sources: true,
  permissions: true,
  prompt: true,
  onError: true,
} as const;
const MEMORY: OptionNames<MemoryMiddlewareOptions> = { ...READING, addCacheControl: true };
const SKILLS: OptionNames<SkillsMiddlewareOptions> = READING;
const SUMMARIZATION: OptionNames<SummarizationMiddlewareOptions> = {
  ...SUMMARIZATION_OPTIONS,
  backend: true,
  permissions: true,
  agentModel: true,
  name: true,
  overheadTokens: true,
  onError: true,
};
const APPROVAL: OptionNames<ApprovalMiddlewareOptions> = {
  interruptOn: true,
  descriptionPrefix: true,
  toolNames: true,
  prompt: true,
};
const SUBAGENTS: OptionNames<SubAgentMiddlewareOptions> = {
  defaultModel: true,
  defaultTools: true,
  defaultMiddleware: true,
  generalPurposeMiddleware: true,
  defaultInterruptOn: true,
  subagents: true,
  systemPrompt: true,
  generalPurposeAgent: true,
  taskDescription: true,
  parentSystemPrompt: true,
  onError: true,
};

// Each throws a ConfigurationError that names the option, for what createDeepAgent would refuse as well.

export function checkMemoryOptions(options: MemoryMiddlewareOptions): void {
  checkOptionNames("createMemoryMiddleware", options, MEMORY);
  checkPaths("memory", options.sources);
}

export function checkSkillsOptions(options: SkillsMiddlewareOptions): void {
  checkOptionNames("createSkillsMiddleware", options, SKILLS);
  checkPaths("skills", options.sources);
}

export function checkSummarizationOptions(options: SummarizationMiddlewareOptions): void {
  checkOptionNames("createSummarizationMiddleware", options, SUMMARIZATION);
  checkSummarization(options);
}

export function checkApprovalOptions(options: ApprovalMiddlewareOptions): void {
  checkOptionNames("createApprovalMiddleware", options, APPROVAL);
  checkRules("interruptOn", options.interruptOn);
}

export function checkSubAgentOptions(options: SubAgentMiddlewareOptions): void {
  checkOptionNames("createSubAgentMiddleware", options, SUBAGENTS);
  const { subagents = [], defaultTools = [], defaultInterruptOn } = options;
  checkSubAgents(subagents);
  const built = subagents.filter((subagent): subagent is SubAgent => !isCompiled(subagent));
  const middleware = [
    ...(options.defaultMiddleware ?? []),
    ...(options.generalPurposeMiddleware ?? []),
    ...built.flatMap((subagent) => subagent.middleware ?? []),
  ];
  const tools = [
    ...namesOf(defaultTools),
    ...built.flatMap((subagent) => namesOf(subagent.tools ?? [])),
    ...middleware.flatMap((one) => namesOf(one.tools ?? [])),
  ];
  if (defaultInterruptOn) checkInterruptOn("defaultInterruptOn", defaultInterruptOn, tools);
  for (const { name, interruptOn } of built)
    if (interruptOn) checkInterruptOn(`subagents.${name}.interruptOn`, interruptOn, tools);
}
