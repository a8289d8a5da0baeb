import { optionsOf } from "@fs/protocol/async";
import { setMaxListeners } from "node:events";
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  Command,
  GraphRecursionError,
  isGraphBubbleUp,
  isInvalidResume,
} from "@langchain/langgraph";
import type { ToolRuntime } from "langchain";
import { AGENT_PATH, agentPath } from "../context/owner.js";
import { effectiveMessages, type SummaryState } from "../context/summary-state.js";
import { causeOf, nameOf } from "../errors/tool-errors.js";
import { isRecord } from "../messages/record.js";
import type { OnError } from "../types/report.js";
import { type MergingFields, stateIn, stateOut } from "./boundary.js";
import { changedCopy, copiesFiles, sharing } from "./files.js";
import { answer, reportOf } from "./report.js";

/** A subagent ready to run. */
export interface ReadySubAgent {
  readonly name: string;
  readonly description: string;
  readonly fork: boolean;
  readonly runnable: { invoke(state: object, config?: object): Promise<unknown> };
  /** The merging fields of its state; none where they are not known. */
  readonly fields: MergingFields | undefined;
}

const FORKED =
  "You are now a subagent that continues the conversation above. What was delegated there is done by others; you cannot delegate. Your task:\n\n";

const KEPT = "What it wrote to files is there.";
const LOST = "What it changed in its copy of the files is lost.";

/**
 * Runs a subagent in the tool call of its caller, on the caller's files. Whatever goes wrong in it is an answer with
 * `status: "error"`; only an aborted run, and what LangGraph throws to pause one, goes through.
 */
export async function runSubAgent(
  subagent: ReadySubAgent,
  description: string,
  runtime: ToolRuntime,
  fields: MergingFields,
  report: OnError,
): Promise<ToolMessage | Command> {
  const { state } = runtime;
  const toolCallId = runtime.toolCallId ?? "";
  const given = stateIn(state, fields, subagent.fields);
  const copied = copiesFiles(subagent.runnable);
  const files: unknown = isRecord(state) ? state["files"] : undefined;
  try {
    const messages = subagent.fork ? forked(state, description) : [new HumanMessage(description)];
    const input = { ...given, ...(copied && files !== undefined ? { files } : {}), messages };
    const result = await subagent.runnable.invoke(input, configFor(subagent, runtime, toolCallId));
    return new Command({
      update: {
        ...stateOut(given, result, fields, subagent.fields),
        ...(copied ? changedCopy(files, result) : {}),
        messages: [answer(reportOf(result, messages), toolCallId)],
      },
    });
  } catch (error) {
    // A refused answer of a human leaves the question open, so it must reach who gave it.
    if (isGraphBubbleUp(error) || isInvalidResume(error) || runtime.signal?.aborted === true)
      throw error;
    const cause = causeOf(error);
    report(cause, { where: `subagent ${subagent.name}` });
    const why =
      cause instanceof GraphRecursionError
        ? "it reached the limit of steps"
        : `an error ended it (${nameOf(cause)})`;
    return answer(
      `Error: the subagent '${subagent.name}' did not finish: ${why}. ${copied ? LOST : KEPT}`,
      toolCallId,
      true,
    );
  }
}

/** The caller's configuration with the names and the files of this run. */
function configFor(
  { name }: ReadySubAgent,
  runtime: ToolRuntime,
  toolCallId: string,
): RunnableConfig {
  const config: RunnableConfig = runtime.config ?? {};
  // Every subagent that runs listens for the run's end; Node warns from eleven on.
  if (runtime.signal !== undefined) setMaxListeners(0, runtime.signal);
  const namespace: unknown = config.configurable?.["checkpoint_ns"];
  return {
    ...config,
    ...optionsOf(runtime.signal),
    metadata: { ...config.metadata, lc_agent_name: name, ls_agent_type: "subagent" },
    configurable: {
      ...config.configurable,
      ls_agent_type: "subagent",
      [AGENT_PATH]: agentPath(name, toolCallId, typeof namespace === "string" ? namespace : ""),
      ...sharing(),
    },
  };
}

/** What the parent's model saw, without the call that is being made. */
function forked(state: unknown, description: string): BaseMessage[] {
  const all =
    isRecord(state) && Array.isArray(state["messages"]) ? (state["messages"] as BaseMessage[]) : [];
  const summary = isRecord(state) ? (state["_summary"] as SummaryState | undefined) : undefined;
  const calling = all.findLastIndex((message) => AIMessage.isInstance(message));
  const last = all[calling];
  const pending = AIMessage.isInstance(last) && (last.tool_calls?.length ?? 0) > 0;
  const past = pending ? all.slice(0, calling) : all;
  return [...effectiveMessages(past, summary), new HumanMessage(`${FORKED}${description}`)];
}
