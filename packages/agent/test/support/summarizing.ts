import { createDeepAgent, type SummarizationOptions } from "@fs/agent";
import { MemoryBackend } from "@fs/protocol";
import { MemorySaver } from "@langchain/langgraph";
import { inThread, say } from "./results.js";
import { type Policy, type Reply, ScriptedModel } from "./scripted-model.js";

/** A summary at six messages, of all but two. */
export const six: SummarizationOptions = {
  trigger: { type: "messages", value: 6 },
  keep: { type: "messages", value: 2 },
};

/** An agent that summarizes, the two models behind it, and what it reports. */
export function setup(
  options: SummarizationOptions = six,
  policy: Policy | readonly Reply[] = (messages) => `answer ${messages.length}`,
  more: object = {},
) {
  const model = new ScriptedModel(policy);
  const summarizer = new ScriptedModel(() => "SUMMARY-TEXT");
  const backend = new MemoryBackend();
  const errors: Array<[unknown, string]> = [];
  const checkpointer = new MemorySaver();
  const build = (other: object = {}) =>
    createDeepAgent({
      model,
      backend,
      checkpointer,
      todos: false,
      summarization: { model: summarizer, ...options },
      onError: (error, { where }) => errors.push([error, where]),
      ...more,
      ...other,
    });
  const agent = build();
  const turns = async (thread: string, ...inputs: string[]) => {
    for (const input of inputs) await agent.invoke(say(input), inThread(thread));
  };
  return { agent, build, model, summarizer, backend, errors, turns, checkpointer };
}

/** What the model was last sent, without the system prompt. */
export const sent = (model: ScriptedModel) =>
  (model.received.at(-1) ?? []).slice(1).map((message) => message.text);

/** The file that holds what an agent summarized. */
export async function history(
  backend: MemoryBackend,
  thread: string,
  agent = "main",
): Promise<string> {
  const { content } = await backend.read(`/conversation_history/${thread}/${agent}.md`, 0, 10_000);
  return typeof content === "string" ? content : "";
}

/** The headings of such a file, one for each summary. */
export const headings = (text: string) => text.match(/^## \w+ \S+$/gm) ?? [];
