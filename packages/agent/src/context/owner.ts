import { createHash } from "node:crypto";
import type { BaseMessage } from "@langchain/core/messages";

/** Where the `task` tool says which subagent of which call runs. */
export const AGENT_PATH = "fs_agent_path";

/** The folder and the file of a history: by thread, and within it by agent and by the call that made it. */
export function ownerOf(
  configurable: Readonly<Record<string, unknown>> | undefined,
  name: string | undefined,
  messages: readonly BaseMessage[],
): { thread: string; agent: string } {
  const thread = configurable?.["thread_id"];
  const agent = configurable?.[AGENT_PATH];
  return {
    // Without a thread there is no id but the messages' own; two runs must not share a file.
    thread:
      typeof thread === "string" && thread !== ""
        ? thread
        : `no-thread-${digestOf(messages[0]?.id ?? "")}`,
    agent: typeof agent === "string" ? agent : (name ?? "main"),
  };
}

/** The name of a subagent's history: its type and the call, which a model may number anew in every turn. */
export function agentPath(type: string, callId: string, namespace: string): string {
  return `${type.toLowerCase()}-${digestOf(`${callId}\n${namespace}`)}`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text.toWellFormed()).digest("hex").slice(0, 12);
}
