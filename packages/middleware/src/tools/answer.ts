import type { ErrorCode } from "@fs/protocol";
import { ToolMessage, type MessageContent } from "@langchain/core/messages";

/** What a tool has to say. */
export interface ToolAnswer {
  readonly content: MessageContent;
  /** For programs beside the agent; never sent to a model. */
  readonly artifact?: Record<string, unknown>;
  readonly failed?: boolean;
}

/** A failed result of any backend: ours have a code, older ones only a sentence. */
export interface FailedResult {
  readonly error?: string | undefined;
  readonly code?: ErrorCode | undefined;
}

/** The answer to a failed call: the sentence for the model, the stable code in the artifact. */
export function refusal({ error, code }: FailedResult, path?: string): ToolAnswer {
  const artifact = {
    ...(path === undefined ? {} : { path }),
    ...(code === undefined ? {} : { code }),
  };
  return { content: `Error: ${error ?? "the call failed."}`, artifact, failed: true };
}

/** The message that carries an answer. */
export function messageOf(answer: ToolAnswer, name: string, toolCallId: string): ToolMessage {
  return new ToolMessage({
    content: answer.content,
    name,
    tool_call_id: toolCallId,
    status: answer.failed === true ? "error" : "success",
    ...(answer.artifact === undefined ? {} : { artifact: answer.artifact }),
  });
}
