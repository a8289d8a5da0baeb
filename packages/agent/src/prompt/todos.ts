import { ToolMessage } from "@langchain/core/messages";
import { type AgentMiddleware, todoListMiddleware } from "langchain";
import { lastCalls } from "../messages/calls.js";
import { withPart } from "./assemble.js";

const DESCRIPTION =
  "Replace your todo list. Give every item; call it once per turn.";

/**
 * LangChain's todo list with short texts. Two lists in one turn are refused where the tool is called: LangChain's own check
 * costs a step of the graph per model call, and ends the run when nothing else was called.
 */
export function createTodoMiddleware(prompt: string): AgentMiddleware {
  const middleware = todoListMiddleware({ toolDescription: DESCRIPTION, systemPrompt: prompt });
  const { afterModel: _checkedBelow, ...rest } = middleware;
  return {
    ...rest,
    wrapModelCall: (request, handler) =>
      handler({ ...request, systemMessage: withPart(request.systemMessage, prompt) }),
    wrapToolCall: async (request, handler) => {
      const { name, id } = request.toolCall;
      if (name !== "write_todos") return handler(request);
      const lists = lastCalls(request.state.messages).filter((call) => call.name === name);
      if (lists.length < 2) return handler(request);
      return new ToolMessage({
        content: "Error: call write_todos once per turn. None of these lists was kept.",
        tool_call_id: id ?? "",
        name,
        status: "error",
      });
    },
  } as AgentMiddleware;
}
