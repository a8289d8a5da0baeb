import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";

let ids = 0;

/** A chat model that follows a function of what it is sent, and keeps the last prompt and the tools that it was offered. */
export class ScriptedModel extends BaseChatModel {
  #policy;
  prompt = "";
  offered = [];

  constructor(policy) {
    super({});
    this.#policy = policy;
  }

  _llmType() {
    return "bench";
  }

  bindTools(tools) {
    this.offered = tools;
    return this;
  }

  async _generate(messages) {
    this.prompt = messages[0]?.getType() === "system" ? messages[0].text : "";
    const reply = this.#policy(messages);
    const message =
      typeof reply === "string"
        ? new AIMessage(reply)
        : new AIMessage({
            content: "",
            tool_calls: reply.map((call) => ({ type: "tool_call", id: `c${++ids}`, ...call })),
          });
    return { generations: [{ text: "", message }] };
  }
}

/** How many results of tools a model has been sent. */
export const answered = (messages) =>
  messages.filter((message) => message.getType() === "tool").length;

/** The words of a human. */
export const say = (content) => ({ messages: [{ role: "user", content }] });
