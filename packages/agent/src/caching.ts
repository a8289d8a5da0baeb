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
  const options = { unsupportedModelBehavior: "ignore", minMessagesToCache: 1 };
  // Their options are typed with Zod 3 through LangChain's helper, which this compiler resolves to `undefined`.
  return [anthropicPromptCachingMiddleware, bedrockPromptCachingMiddleware].map(
    (create) => Reflect.apply(create, undefined, [options]) as AgentMiddleware,
  );
}
