import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

/** One tool call that a step wants. */
export interface WantedCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** What the model says in one turn. Without calls, the run ends. */
interface Turn {
  readonly say: string;
  readonly calls?: readonly WantedCall[];
}

/** What a tool answered, for the steps that follow. */
export interface Answer {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly text: string;
  readonly failed: boolean;
}

/** Decides a turn from everything the tools have answered so far. */
export type Step = (answers: readonly Answer[]) => Turn;

/**
 * A chat model that follows steps in place of a network. Its arguments are computed from what the tools really
 * returned, so that it finds out about the tree it works on as any model would.
 */
export class ScriptedModel extends BaseChatModel {
  readonly #steps: readonly Step[];

  constructor(steps: readonly Step[]) {
    super({});
    this.#steps = steps;
  }

  override _llmType(): string {
    return "scripted";
  }

  /** Steps name their tools themselves. */
  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const turn = messages.filter((message) => AIMessage.isInstance(message)).length;
    const step = this.#steps[turn];
    const { say, calls = [] } = step === undefined ? { say: "Done." } : step(answersOf(messages));
    const message = new AIMessage({
      content: say,
      tool_calls: calls.map((call, index) => ({
        ...call,
        id: `call_${turn}_${index}`,
        type: "tool_call",
      })),
    });
    return { generations: [{ text: say, message }] };
  }
}

function answersOf(messages: readonly BaseMessage[]): Answer[] {
  const wanted = new Map<string, WantedCall>();
  const answers: Answer[] = [];
  for (const message of messages) {
    if (AIMessage.isInstance(message)) {
      for (const { id, name, args } of message.tool_calls ?? [])
        wanted.set(id ?? "", { name, args });
    } else if (ToolMessage.isInstance(message)) {
      const call = wanted.get(message.tool_call_id);
      const { text, status } = message;
      answers.push({
        tool: call?.name ?? "",
        args: call?.args ?? {},
        text,
        failed: status === "error",
      });
    }
  }
  return answers;
}
