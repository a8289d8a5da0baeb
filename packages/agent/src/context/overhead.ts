import type { TokenCounter } from "@fs/middleware";
import type { BaseMessage } from "@langchain/core/messages";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { isRecord } from "../messages/record.js";
import { tokensOfMessage } from "./size.js";

const counted = new WeakMap<object, { readonly count: TokenCounter; readonly tokens: number }>();

/** The tokens of the prompt and the tools of a model call, without asking a provider. */
export function overheadOf(
  prompt: BaseMessage,
  tools: readonly unknown[],
  count: TokenCounter,
): number {
  return tools.reduce<number>(
    (total, tool) => total + (isRecord(tool) ? tokensOfTool(tool, count) : 0),
    tokensOfMessage(prompt, count),
  );
}

function tokensOfTool(tool: Record<string, unknown>, count: TokenCounter): number {
  const known = counted.get(tool);
  if (known?.count === count) return known.tokens;
  const tokens = count(textOf(tool));
  counted.set(tool, { count, tokens });
  return tokens;
}

/** A tool as a provider is sent it, more or less: its name, its description and its types. */
function textOf(tool: Record<string, unknown>): string {
  const { name, description, schema } = tool;
  if (typeof schema !== "object" || schema === null) return JSON.stringify(tool);
  const types: unknown = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0]);
  return JSON.stringify({ name, description, schema: types });
}
