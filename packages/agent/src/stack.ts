import {
  type BackendOption,
  createFilesystemMiddleware,
  type FilesystemMiddlewareOptions,
} from "@fs/middleware";
import type { FilesystemPermission } from "@fs/protocol";
import type { AgentMiddleware } from "langchain";
import { createApprovalMiddleware, type InterruptOn } from "./approvals/middleware.js";
import { cachingMiddleware } from "./caching.js";
import { createSummarizationMiddleware } from "./context/middleware.js";
import type { SummarizationOptions } from "./context/options.js";
import { createToolErrorMiddleware } from "./errors/tool-errors.js";
import { createMemoryMiddleware } from "./memory/middleware.js";
import { mergeMiddleware, type Slot } from "./merge-middleware.js";
import { filesystemPrompt, localContext } from "./prompt/late-parts.js";
import { DEFAULT_PROMPTS, partOf, type Prompts } from "./prompt/sections.js";
import { createTodoMiddleware } from "./prompt/todos.js";
import { createPatchToolCallsMiddleware } from "./repair/tool-calls.js";
import { createSkillsMiddleware } from "./skills/middleware.js";
import { namesOf } from "./tool-names.js";
import type { OnError } from "./types/report.js";

/** What all agents of one tree have in common. */
export interface Shared {
  readonly backend: BackendOption | undefined;
  readonly filesystem: Omit<FilesystemMiddlewareOptions, "backend" | "permissions" | "otherTools">;
  readonly summarization: SummarizationOptions | false;
  readonly prompts: Prompts;
  readonly report: OnError;
}

/** One agent of the tree. */
export interface StackOptions {
  readonly name: string | undefined;
  readonly model: unknown;
  readonly tools: readonly unknown[];
  readonly todos: boolean;
  readonly memory: readonly string[];
  readonly skills: readonly string[];
  readonly permissions: readonly FilesystemPermission[];
  readonly interruptOn: InterruptOn;
  readonly own: readonly AgentMiddleware[];
  /** The middleware with the `task` tool; none for a subagent. */
  readonly subagents: AgentMiddleware | undefined;
}

/** The middleware of an agent, outermost first: the same list for the main agent and for every subagent. */
export function stackFor(agent: StackOptions, shared: Shared): AgentMiddleware[] {
  const { backend, prompts, report } = shared;
  const { permissions } = agent;
  const files = { ...(backend === undefined ? {} : { backend }), permissions };
  const reading = { ...files, onError: report };
  const filesystem = createFilesystemMiddleware({
    ...shared.filesystem,
    ...files,
    permissions: [...permissions],
    onError: (error, { tool }) => {
      report(error, { where: `tool ${tool}` });
      shared.filesystem.onError?.(error, { tool });
    },
  });
  const prompt = (part: "memory" | "skills" | "approvals"): { prompt?: string | false } => {
    const own = prompts[part];
    return own === undefined ? {} : { prompt: own };
  };
  const slots: Slot[] = [
    createToolErrorMiddleware(report),
    ...(agent.todos ? [createTodoMiddleware(partOf(prompts.todos, DEFAULT_PROMPTS.todos))] : []),
    ...(agent.memory.length === 0
      ? []
      : [createMemoryMiddleware({ ...reading, sources: agent.memory, ...prompt("memory") })]),
    ...(agent.skills.length === 0
      ? []
      : [createSkillsMiddleware({ ...reading, sources: agent.skills, ...prompt("skills") })]),
    filesystem,
    filesystemPrompt(prompts),
    ...(agent.subagents === undefined ? [] : [agent.subagents]),
    createPatchToolCallsMiddleware(),
    ...(shared.summarization === false
      ? []
      : [
          createSummarizationMiddleware({
            ...shared.summarization,
            ...reading,
            agentModel: agent.model,
            ...(agent.name === undefined ? {} : { name: agent.name }),
          }),
        ]),
    "own",
    ...(Object.keys(agent.interruptOn).length === 0
      ? []
      : [
          createApprovalMiddleware({
            interruptOn: agent.interruptOn,
            toolNames: [
              ...namesOf(agent.tools),
              ...namesOf(filesystem.tools ?? []),
              ...agent.own.flatMap(({ tools }) => namesOf(tools ?? [])),
              ...(agent.todos ? ["write_todos"] : []),
              ...(agent.subagents === undefined ? [] : ["task"]),
            ],
            ...prompt("approvals"),
          }),
        ]),
    ...localContext(prompts.localContext),
    ...cachingMiddleware(),
  ];
  return mergeMiddleware(slots, agent.own);
}
