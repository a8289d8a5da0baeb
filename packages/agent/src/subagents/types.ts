import type { FilesystemPermission } from "@fs/protocol";
import type { LanguageModelLike } from "@langchain/core/language_models/base";
import type { SystemMessage } from "@langchain/core/messages";
import type { Runnable } from "@langchain/core/runnables";
import type { StructuredTool } from "@langchain/core/tools";
import type { AgentMiddleware, CreateAgentParams, InterruptOnConfig, ReactAgent } from "langchain";

/** A subagent that is built with the agent. What it does not say it has from its parent. */
export interface SubAgent {
  /** The `subagent_type` by which it is called: 1–64 letters, digits, `-` and `_`. */
  name: string;
  /** What it is for; shown to the model that delegates. */
  description: string;
  /** Its own prompt. Under `mode: "fork"` it is appended to the parent's. */
  systemPrompt?: string | SystemMessage;
  /**
   * `"isolated"` (default) sees only its task. `"fork"` continues the parent's conversation, with the parent's prompt, skills,
   * memory and middleware.
   */
  mode?: "isolated" | "fork";
  /** Its tools instead of the parent's. `[]`: none but those of its middleware. */
  tools?: StructuredTool[];
  /** Its model instead of the parent's. */
  model?: LanguageModelLike | string;
  /** Middleware of its own; one with the name of a built-in replaces it. */
  middleware?: readonly AgentMiddleware[];
  /** Which of its calls wait for a human, instead of the parent's rules. */
  interruptOn?: Record<string, boolean | InterruptOnConfig>;
  /** Its skills. Only general-purpose has the parent's. */
  skills?: readonly string[];
  /** What its report must be; the parent gets it as JSON. */
  responseFormat?: CreateAgentParams["responseFormat"];
  /** Rules for its files, instead of the parent's. */
  permissions?: FilesystemPermission[];
}

/** A subagent that exists already: an agent, a graph or any runnable that takes and returns `messages`. */
export interface CompiledSubAgent<
  // oxlint-disable-next-line typescript/no-explicit-any -- an agent of any type configuration
  TRunnable extends ReactAgent<any> | Runnable = ReactAgent<any> | Runnable,
> {
  name: string;
  description: string;
  runnable: TRunnable;
  /** `"fork"` also gives it the parent's messages. */
  mode?: "isolated" | "fork";
}

/** @deprecated A {@link SubAgent} with `mode: "fork"`. */
export interface ForkedSubAgent extends SubAgent {
  mode: "fork";
}

/** Any subagent. */
export type AnySubAgent = SubAgent | CompiledSubAgent;

/** Tells a compiled subagent from one that is built with the agent. */
export function isCompiled(subagent: AnySubAgent): subagent is CompiledSubAgent {
  return "runnable" in subagent;
}

/** The subagent that every agent has unless `generalPurpose` is `false`. */
export const GENERAL_PURPOSE_SUBAGENT = {
  name: "general-purpose",
  description: "Research, searching files, writing. Has your tools.",
  systemPrompt:
    "You carry out one task for another agent, which sees only your last message. Make that message a complete report.",
  mode: "isolated",
} as const;
