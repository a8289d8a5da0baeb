import { SystemMessage } from "@langchain/core/messages";
import { type AgentMiddleware, createMiddleware, type ModelRequest } from "langchain";

/** A text of its own paragraph at the end of a system message. An empty text leaves no trace. */
export function withPart(message: SystemMessage, text: string): SystemMessage {
  if (text === "") return message;
  const { content } = message;
  if (typeof content === "string")
    return new SystemMessage(content === "" ? text : `${content}\n\n${text}`);
  return new SystemMessage({
    content: [...content, { type: "text", text: content.length === 0 ? text : `\n\n${text}` }],
  });
}

/** Texts and messages one after another, each a paragraph of its own. */
export function joinParts(
  parts: ReadonlyArray<string | SystemMessage | null | undefined>,
): string | SystemMessage | undefined {
  const present = parts.flatMap((part) => (part ? [part] : []));
  if (present.every((part) => typeof part === "string"))
    return present.length === 0 ? undefined : present.join("\n\n");
  const blocks = present.flatMap((part, at) => [
    ...(at === 0 ? [] : [{ type: "text" as const, text: "\n\n" }]),
    ...blocksOf(part),
  ]);
  return new SystemMessage({ content: blocks as never });
}

function blocksOf(part: string | SystemMessage): unknown[] {
  const content = typeof part === "string" ? part : part.content;
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** The system prompt as the agent is built with it: the user's, then the base prompt. */
export function basePrompt(
  own: string | SystemMessage | undefined,
  base: string,
): string | SystemMessage | undefined {
  return SystemMessage.isInstance(own) ? withPart(own, base) : joinParts([own, base]);
}

/** A middleware that adds one part to the prompt of every model call. */
export function promptPart(name: string, text: (request: ModelRequest) => string): AgentMiddleware {
  return createMiddleware({
    name,
    wrapModelCall: (request, handler) =>
      handler({ ...request, systemMessage: withPart(request.systemMessage, text(request)) }),
  });
}
