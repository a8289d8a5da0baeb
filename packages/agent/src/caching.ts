import {
  type AgentMiddleware,
  anthropicPromptCachingMiddleware,
  bedrockPromptCachingMiddleware,
} from "langchain";

/**
 * LangChain's prompt caching for Anthropic and Bedrock. Both look at the model of each call and do nothing for any other, so
 * that a fallback to another provider carries no marker that it would refuse.
 */
export function cachingMiddleware(): AgentMiddleware[] {
  return [
    anthropicPromptCachingMiddleware({ unsupportedModelBehavior: "ignore", minMessagesToCache: 1 }),
    bedrockPromptCachingMiddleware({ unsupportedModelBehavior: "ignore" }),
  ];
}
