import type { Caller } from "@fs/protocol";
import { isRecord } from "@fs/tools";
import { HumanMessage } from "@langchain/core/messages";
import type { ToolRuntime } from "@langchain/core/tools";

/** What of the runtime of a tool or a hook names the caller. */
export type CallerSource = Partial<
  Pick<ToolRuntime, "configurable" | "toolCallId" | "state" | "config">
>;

/** On whose behalf a tool is called, for wrappers such as the audit. */
export function callerOf(runtime: CallerSource): Caller & { readonly turnId?: string } {
  const { configurable, toolCallId } = runtime;
  const {
    thread_id: threadId,
    langgraph_auth_user_id: authenticated,
    user_id: named,
  } = configurable ?? {};
  // Whom the server authenticated counts for more than whom the caller names.
  const actor: unknown = authenticated ?? named;
  const turnId = runIdOf(runtime) ?? lastHumanMessageId(runtime.state);
  return {
    ...(typeof actor === "string" ? { actor } : {}),
    ...(typeof threadId === "string" ? { threadId } : {}),
    ...(turnId === undefined ? {} : { turnId }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  };
}

/** The run's id, where LangGraph knows it: its server always does. */
function runIdOf(runtime: CallerSource): string | undefined {
  const info: unknown = Reflect.get(runtime, "executionInfo");
  const candidates: unknown[] = [
    isRecord(info) ? info["runId"] : undefined,
    runtime.configurable?.["run_id"],
    runtime.config?.runId,
  ];
  return candidates.find((id): id is string => typeof id === "string" && id !== "");
}

/** A turn begins with what a person says, so that message names it where the run has no id. */
function lastHumanMessageId(state: unknown): string | undefined {
  const messages: unknown[] =
    isRecord(state) && Array.isArray(state["messages"]) ? state["messages"] : [];
  return messages.findLast((message) => HumanMessage.isInstance(message))?.id;
}
