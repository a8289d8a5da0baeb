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

/** The system prompt as the agent is built with it: the user's, then the base prompt. */
export function basePrompt(
  own: string | SystemMessage | undefined,
  base: string,
): string | SystemMessage | undefined {
  if (SystemMessage.isInstance(own)) return withPart(own, base);
  const parts = [own ?? "", base].filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/** A middleware that adds one part to the prompt of every model call. */
export function promptPart(name: string, text: (request: ModelRequest) => string): AgentMiddleware {
  return createMiddleware({
    name,
    wrapModelCall: (request, handler) =>
      handler({ ...request, systemMessage: withPart(request.systemMessage, text(request)) }),
  });
}
