import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, type AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";

/** One tool call of a step. */
export interface Call {
  readonly name: string;
  readonly args: unknown;
  readonly id?: string;
}

/** What the model does next, computed from what it was sent: tool calls, or a closing text. */
export type Step = (messages: readonly BaseMessage[]) => readonly Call[] | string;

/** A chat model that follows a script. It records what it was sent and which tools were bound. */
export class ScriptedModel extends BaseChatModel {
  readonly received: BaseMessage[][] = [];
  readonly bound: BindToolsInput[][] = [];
  readonly #steps: readonly Step[];
  readonly #profile: Record<string, unknown>;
  #next = 0;
  #calls = 0;

  constructor(steps: readonly Step[], profile: Record<string, unknown> = {}) {
    super({});
    this.#steps = steps;
    this.#profile = profile;
  }

  override get profile(): Record<string, unknown> {
    return this.#profile;
  }

  _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: BindToolsInput[]): Runnable<BaseLanguageModelInput, AIMessageChunk> {
    this.bound.push(tools);
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.received.push(messages);
    const step = this.#steps[this.#next++] ?? (() => "done");
    const reply = step(messages);
    const message =
      typeof reply === "string"
        ? new AIMessage(reply)
        : new AIMessage({
            content: "",
            tool_calls: reply.map(({ name, args, id }) => ({
              type: "tool_call" as const,
              id: id ?? `call_${++this.#calls}`,
              name,
              args: args as Record<string, unknown>,
            })),
          });
    return { generations: [{ text: "", message }] };
  }
}
