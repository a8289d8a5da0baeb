import type { TokenCounter } from "@fs/middleware";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";

/** A size of the context: messages, tokens, or a share of what the model takes. */
export interface ContextSize {
  type: "messages" | "tokens" | "fraction";
  value: number;
}

/** How a conversation that grows too long is kept small. */
export interface SummarizationOptions {
  /** The model that writes the summaries. Default: the agent's own. */
  model?: unknown;
  /** When to act, or several of which one is enough. Default 85 % of the model's `maxInputTokens`, or 170,000 tokens. */
  trigger?: ContextSize | ContextSize[];
  /** What stays as it is. Default 10 % of `maxInputTokens`, or 6 messages; never more than half of the trigger. */
  keep?: ContextSize;
  /** Replaces the instructions for the summary. `{conversation}` in it is where the conversation goes; else at the end. */
  prompt?: string;
  /** The directory of the history files. Default `/conversation_history`. */
  historyRoot?: string;
  /** Counts tokens where the provider reports none. Default `estimateTokens`. */
  tokenCounter?: TokenCounter;
  /** Whether messages leave the state once they are saved and summarized. Default `false`: they stay, for user interfaces. */
  prune?: boolean;
  /** Milliseconds that a summary may take before it counts as failed. Default 120,000. */
  timeoutMs?: number;
  /** Characters that an argument of an old write or edit may have before a pointer takes its place. Default 2000. */
  maxArgumentLength?: number;
}

/** Tokens at which a model without a profile is summarized. */
const WITHOUT_PROFILE = 170_000;

/** The defaults for a model: by its profile's `maxInputTokens`, or fixed numbers without one. */
export function computeSummarizationDefaults(model: BaseChatModel): {
  trigger: ContextSize;
  keep: ContextSize;
  truncateArgsSettings: { trigger: ContextSize; keep: ContextSize };
} {
  const [trigger, keep]: [ContextSize, ContextSize] =
    maxInputTokensOf(model) === undefined
      ? [
          { type: "tokens", value: WITHOUT_PROFILE },
          { type: "messages", value: 6 },
        ]
      : [
          { type: "fraction", value: 0.85 },
          { type: "fraction", value: 0.1 },
        ];
  return { trigger, keep, truncateArgsSettings: { trigger, keep } };
}

/** What a model takes, as its profile says. */
export function maxInputTokensOf(model: unknown): number | undefined {
  const profile: unknown =
    typeof model === "object" && model !== null ? Reflect.get(model, "profile") : undefined;
  const most: unknown =
    typeof profile === "object" && profile !== null
      ? Reflect.get(profile, "maxInputTokens")
      : undefined;
  return typeof most === "number" && most > 0 ? most : undefined;
}

/** The sizes that decide, in tokens and messages. */
export interface Limits {
  reached(size: { readonly tokens: number; readonly messages: number }): boolean;
  /** Tokens beyond which a model call cannot succeed. */
  readonly hard: number;
  readonly keepTokens: number;
  readonly keepMessages: number;
}

/** The limits for one model. */
export function limitsFor(model: unknown, options: SummarizationOptions): Limits {
  const most = maxInputTokensOf(model);
  const defaults = computeSummarizationDefaults(model as BaseChatModel);
  const window = most ?? WITHOUT_PROFILE;
  const triggers = [options.trigger ?? defaults.trigger].flat();
  const keep = options.keep ?? defaults.keep;
  const tokensOf = ({ type, value }: ContextSize): number =>
    type === "tokens" ? value : type === "fraction" ? value * window : Infinity;
  const trigger = Math.min(...triggers.map(tokensOf));
  return {
    reached: ({ tokens, messages }) =>
      triggers.some((one) => tokens >= tokensOf(one) || messages >= messagesOf(one)),
    hard: most === undefined ? Math.max(WITHOUT_PROFILE * 1.15, trigger * 1.15) : most * 0.98,
    keepTokens: Math.min(tokensOf(keep), trigger / 2),
    // As of tokens: a trigger of fewer messages than are kept would never fire, or always. The summary is a message too.
    keepMessages: Math.min(
      messagesOf(keep),
      Math.max(1, Math.floor((Math.min(...triggers.map(messagesOf)) - 1) / 2)),
    ),
  };
}

function messagesOf({ type, value }: ContextSize): number {
  return type === "messages" ? value : Infinity;
}
