import { type Filesystem, type Caller, type CallOptions, runAsCaller } from "@fs/protocol";
import { failureFromThrown } from "@fs/protocol/author";
import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import { tool, type ToolRuntime } from "@langchain/core/tools";
import { isGraphBubbleUp } from "@langchain/langgraph";
import type { z } from "zod";
import type { BackendSource } from "../backend-source.js";
import type { ToolSettings } from "../settings.js";
import { messageOf, refusal, type ToolAnswer } from "./answer.js";
import type { FsToolName } from "./names.js";
import { isRecord } from "./schema.js";

/** What a tool works with during one call. */
export interface ToolCallContext {
  readonly backend: Filesystem;
  /** Passed on to every call of the backend. */
  readonly options: CallOptions;
  /** The conversation so far, this turn's calls included. */
  readonly messages: readonly BaseMessage[];
  readonly settings: ToolSettings;
}

/** A filesystem tool before it is bound to a backend. */
export interface ToolDefinition<Args> {
  readonly name: FsToolName;
  /** For the model, unless `customToolDescriptions` replaces it. */
  readonly description: string;
  readonly schema: z.ZodType<Args>;
  /** The argument that an error names. */
  subject(args: Args): string;
  run(args: Args, context: ToolCallContext): Promise<ToolAnswer>;
}

/**
 * The LangChain tool of a definition. It answers with a ToolMessage whatever happens; only what LangGraph itself throws to
 * pause or leave a run goes through.
 */
export function bindTool<Args>(
  definition: ToolDefinition<Args>,
  source: BackendSource,
  settings: ToolSettings,
) {
  const { name } = definition;
  const call = async (args: Args, runtime: ToolRuntime): Promise<ToolMessage> => {
    const answer = await answerOf(definition, args, runtime, source, settings);
    return messageOf(answer, name, runtime.toolCallId ?? runtime.toolCall?.id ?? "");
  };
  return tool(call, {
    name,
    description: settings.customToolDescriptions[name] ?? definition.description,
    schema: definition.schema,
  });
}

async function answerOf<Args>(
  definition: ToolDefinition<Args>,
  args: Args,
  runtime: ToolRuntime,
  source: BackendSource,
  settings: ToolSettings,
): Promise<ToolAnswer> {
  const { signal } = runtime;
  try {
    const backend = await source(runtime);
    const options = signal === undefined ? {} : { signal };
    const messages = messagesOf(runtime.state);
    const context = { backend, options, messages, settings };
    return await runAsCaller(callerOf(runtime), () => definition.run(args, context));
  } catch (error) {
    if (isGraphBubbleUp(error)) throw error;
    settings.onError?.(error, { tool: definition.name });
    const subject = definition.subject(args);
    return refusal(failureFromThrown(error, subject), subject);
  }
}

function messagesOf(state: unknown): readonly BaseMessage[] {
  return isRecord(state) && Array.isArray(state["messages"]) ? state["messages"] : [];
}

/** On whose behalf the tool is called, for wrappers such as the audit. */
function callerOf({ configurable, toolCallId }: ToolRuntime): Caller {
  const {
    thread_id: threadId,
    langgraph_auth_user_id: authenticated,
    user_id: named,
  } = configurable ?? {};
  // Whom the server authenticated counts for more than whom the caller names.
  const actor: unknown = authenticated ?? named;
  return {
    ...(typeof actor === "string" ? { actor } : {}),
    ...(typeof threadId === "string" ? { threadId } : {}),
    toolCallId,
  };
}
