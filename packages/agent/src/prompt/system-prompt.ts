import { SystemMessage } from "@langchain/core/messages";
import type { LooseParams } from "../params.js";
import { basePrompt, joinParts } from "./assemble.js";
import { DEFAULT_PROMPTS, partOf, type Prompts } from "./sections.js";

/** The system prompt that the agent is built with, of whichever form the app gave. */
export function systemPromptOf(
  own: LooseParams["systemPrompt"],
  prompts: Prompts,
): string | SystemMessage | undefined {
  const base = partOf(prompts.base, DEFAULT_PROMPTS.base);
  if (own === undefined || typeof own === "string" || SystemMessage.isInstance(own))
    return basePrompt(own, base);
  return joinParts([own.prefix, own.base === undefined ? base : own.base, own.suffix]);
}
