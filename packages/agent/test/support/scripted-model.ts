import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  type UsageMetadata,
} from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";

/** A tool call of a script. */
export interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id?: string;
}

/** What the model says next: a text, tool calls, a whole message, or an error that it throws. */
export type Reply = string | readonly Call[] | AIMessage | Error;

/** What the model does with what it is sent. It is a function of the messages, so that it survives a restart. */
export type Policy = (messages: readonly BaseMessage[]) => Reply | Promise<Reply>;

let ids = 0;

/** A chat model that follows a policy, and records what it was sent. */
export class ScriptedModel extends BaseChatModel {
  readonly received: BaseMessage[][] = [];
  readonly bound: BindToolsInput[][] = [];
  readonly #policy: Policy;
  readonly #profile: Record<string, unknown>;

  constructor(policy: Policy | readonly Reply[], profile: Record<string, unknown> = {}) {
    super({});
    this.#policy = typeof policy === "function" ? policy : inOrder(policy);
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
    const reply = await this.#policy(messages);
    if (reply instanceof Error) throw reply;
    return { generations: [{ text: "", message: messageOf(reply) }] };
  }

  /** The names of the tools that it was offered first. */
  get toolNames(): string[] {
    return (this.bound[0] ?? []).map((offered) => String(Reflect.get(offered, "name")));
  }

  /** The system prompt of the last call. */
  get prompt(): string {
    const first = this.received.at(-1)?.[0];
    return first?.getType() === "system" ? first.text : "";
  }
}

function inOrder(replies: readonly Reply[]): Policy {
  let next = 0;
  return () => replies[next++] ?? "done";
}

function messageOf(reply: Exclude<Reply, Error>): AIMessage {
  if (typeof reply === "string") return new AIMessage(reply);
  if (AIMessage.isInstance(reply)) return reply;
  return new AIMessage({
    content: "",
    tool_calls: reply.map(({ name, args, id }) => ({
      type: "tool_call" as const,
      id: id ?? `call_${process.pid}_${++ids}`,
      name,
      args,
    })),
  });
}

/** A call of `task`. */
export const task = (type: string, description = "work", id?: string): Call => ({
  name: "task",
  args: { description, subagent_type: type },
  ...(id === undefined ? {} : { id }),
});
export const write = (file_path: string, content: string): Call => ({
  name: "write_file",
  args: { file_path, content },
});
export const edit = (file_path: string, old_string: string, new_string: string): Call => ({
  name: "edit_file",
  args: { file_path, old_string, new_string },
});
export const read = (file_path: string): Call => ({ name: "read_file", args: { file_path } });

/** A text with the usage that a provider reports. */
export function reporting(content: string, usage: UsageMetadata): AIMessage {
  // In the constructor: what is assigned later is not saved with the message.
  return new AIMessage({ content, usage_metadata: usage as never });
}
