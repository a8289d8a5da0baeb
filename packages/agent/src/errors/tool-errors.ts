import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { isInvalidResume } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  MiddlewareError,
  ToolInvocationError,
  toolErrorMiddleware,
} from "langchain";
import { isRecord } from "../messages/record.js";
import type { OnError } from "../types/report.js";

/**
 * Turns whatever a tool throws into an error message that the model can act on: invalid arguments name the fields, anything
 * else says that the tool failed. Neither a stack nor the error's own words, which may hold a secret or a path of the host,
 * reach the model; the error itself goes to `report`.
 */
export function createToolErrorMiddleware(report: OnError): AgentMiddleware {
  return toolErrorMiddleware({
    onError: (error, { toolCall, tool, runtime }) => {
      // An aborted run must end, and a refused answer must reach the human; neither is for the model.
      if (runtime.signal?.aborted === true || isInvalidResume(error)) return undefined;
      const cause = causeOf(error);
      report(cause, { where: `tool ${toolCall.name}` });
      return ToolInvocationError.isInstance(cause)
        ? invalidArguments(toolCall.name, cause.toolError.message, schemaOf(tool))
        : `Error: the tool '${toolCall.name}' failed (${nameOf(cause)}). Try other arguments, or go on without it.`;
    },
  });
}

/** The error under the layers that LangChain wraps around it, one for each middleware. */
export function causeOf(error: unknown): unknown {
  let inner = error;
  while (MiddlewareError.isInstance(inner) && inner.cause !== undefined) inner = inner.cause;
  return inner;
}

/** The class of an error as a word that is safe to show. */
export function nameOf(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  return /^[A-Za-z]\w{0,60}$/.test(name) ? name : "Error";
}

function invalidArguments(name: string, message: string, schema: unknown): string {
  // The parser's message has a heading, an empty line and then one issue a line.
  const issues = message.split("\n\n").slice(1).join("\n");
  const expected = fieldsOf(schema);
  return [
    `Error: the arguments of '${name}' are not valid.`,
    ...(issues === "" ? [] : [issues]),
    ...(expected === "" ? [] : [`Expected: ${expected}.`]),
  ].join("\n");
}

function schemaOf(tool: unknown): unknown {
  return typeof tool === "object" && tool !== null && "schema" in tool ? tool.schema : undefined;
}

function fieldsOf(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return "";
  const json: unknown = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0]);
  const { properties, required } = isRecord(json) ? json : {};
  if (!isRecord(properties)) return "";
  return Object.entries(properties)
    .map(([name, property]) => {
      const type = isRecord(property) ? property["type"] : undefined;
      const optional = Array.isArray(required) && required.includes(name) ? "" : ", optional";
      return `${name} (${typeof type === "string" ? type : "any"}${optional})`;
    })
    .join(", ");
}
