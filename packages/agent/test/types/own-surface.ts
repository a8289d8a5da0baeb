// What this package types beyond deepagents. Nothing here runs.
import { createDeepAgent, type CreateDeepAgentParams } from "@fs/agent";
import type { Todo } from "langchain";
import { expectTypeOf } from "vitest";

const agent = createDeepAgent({
  model: "openai:gpt-5",
  todos: true,
  summarization: { trigger: { type: "fraction", value: 0.5 }, prune: true },
  filesystem: { staging: { approve: true } },
  generalPurpose: { model: "openai:gpt-5-mini" },
  taskDescription: "{available_agents}",
  prompts: { base: false, localContext: () => "now" },
  onError: (error, { where }) => console.error(where, error),
});
export const off: CreateDeepAgentParams = { summarization: false, generalPurpose: false };

export async function surface(): Promise<void> {
  const { todos, files } = await agent.invoke({ messages: [] });
  expectTypeOf<typeof todos>().toEqualTypeOf<Todo[]>();
  expectTypeOf<keyof typeof files>().toEqualTypeOf<string>();
  // @ts-expect-error -- no such part of the prompt
  createDeepAgent({ prompts: { intro: "x" } });
  // @ts-expect-error -- a share has a kind
  createDeepAgent({ summarization: { trigger: 0.5 } });
}
