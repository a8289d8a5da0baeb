import { ToolMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { type AgentMiddleware, todoListMiddleware } from "langchain";
import { z } from "zod";
import { lastTurn } from "../messages/calls.js";
import { withPart } from "./assemble.js";

const DESCRIPTION = "Replace your todo list. Give every item; call it once per turn.";

/** LangChain's own schema, without a sentence for each field. */
const SCHEMA = z.object({
  todos: z.array(
    z.object({ content: z.string(), status: z.enum(["pending", "in_progress", "completed"]) }),
  ),
});

/**
 * LangChain's todo list with short texts. Two lists in one turn are refused where the tool is called: LangChain's own check
 * costs a step of the graph per model call, and ends the run when nothing else was called.
 */
export function createTodoMiddleware(prompt: string): AgentMiddleware {
  const middleware = todoListMiddleware({ toolDescription: DESCRIPTION, systemPrompt: prompt });
  const { afterModel: _checkedBelow, tools = [], ...rest } = middleware;
  const shortened = tools.map((one) =>
    one instanceof DynamicStructuredTool
      ? new DynamicStructuredTool({
          name: one.name,
          description: one.description,
          schema: SCHEMA,
          func: one.func,
        })
      : one,
  );
  return {
    ...rest,
    tools: shortened,
    wrapModelCall: (request, handler) =>
      handler({ ...request, systemMessage: withPart(request.systemMessage, prompt) }),
    wrapToolCall: async (request, handler) => {
      const { name, id } = request.toolCall;
      if (name !== "write_todos") return handler(request);
      const { message, answered } = lastTurn(request.state.messages);
      // One that a human rejected is answered already, and is no list of this turn.
      const lists = (message?.tool_calls ?? []).filter(
        (call) => call.name === name && !answered.has(call.id ?? ""),
      );
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
