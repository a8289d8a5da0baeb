import { optionsOf } from "@fs/protocol/async";
import { runAsCaller } from "@fs/protocol";
import { executeDescription, type Tool, type ToolName, type ToolSettings } from "@fs/tools";
import type { ToolMessage } from "@langchain/core/messages";
import { tool, type ToolRuntime } from "@langchain/core/tools";
import { type Command, isGraphBubbleUp } from "@langchain/langgraph";
import type { BackendSources } from "./backend-source.js";
import { callerOf } from "./caller.js";
import { knownFromMessages } from "./messages/read-files.js";
import { messageOf, withFilesUpdate } from "./messages/tool-message.js";

/** What the tools of one middleware have in common. */
export interface Binding {
  readonly sources: BackendSources;
  readonly settings: ToolSettings;
  readonly descriptions: Readonly<Partial<Record<ToolName, string>>>;
}

/**
 * The LangChain tool of one of ours. It answers with a ToolMessage whatever happens; only what LangGraph itself throws to
 * pause or leave a run goes through.
 */
export function bindTool(definition: Tool, { sources, settings, descriptions }: Binding) {
  const { name, schema } = definition;
  const call = async (
    args: Record<string, unknown>,
    runtime: ToolRuntime,
  ): Promise<ToolMessage | Command> => {
    const answer = await runAsCaller(callerOf(runtime), () =>
      definition.call(args, {
        backend: () => sources.tools(runtime),
        options: optionsOf(runtime.signal),
        settings,
        known: knownFromMessages(runtime.state),
        rethrow: isPause,
      }),
    );
    const message = messageOf(answer, name, runtime.toolCallId ?? runtime.toolCall?.id ?? "");
    return withFilesUpdate(message, answer.filesUpdate);
  };
  return tool(call, {
    name,
    description: descriptions[name] ?? descriptionOf(definition, sources.known),
    schema,
  });
}

/** A backend that can execute may say what a command finds there. */
function descriptionOf(definition: Tool, known: BackendSources["known"]): string {
  return definition.name === "execute" && known !== undefined
    ? executeDescription(known)
    : definition.description;
}

/** Whether LangGraph threw it to pause or leave the run. A backend may throw anything, `null` included. */
function isPause(error: unknown): boolean {
  return typeof error === "object" && error !== null && isGraphBubbleUp(error);
}
