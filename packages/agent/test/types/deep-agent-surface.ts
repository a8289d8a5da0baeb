// Compiled twice: as it is, and with `deepagents` under the name of this package. Nothing here runs.
import {
  type AnySubAgent,
  type CompiledSubAgent,
  createDeepAgent,
  type CreateDeepAgentParams,
  type DeepAgent,
  type InferDeepAgentSubagents,
  type InferSubagentByName,
  type SubAgent,
} from "@fs/agent";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware, tool, toolStrategy } from "langchain";
import { expectTypeOf } from "vitest";
import { z } from "zod";

const look = tool(() => "ok", { name: "look", description: "Looks.", schema: z.object({}) });
const research = createMiddleware({
  name: "research",
  stateSchema: z.object({ found: z.string().default("") }),
});
const writer = {
  name: "writer",
  description: "Writes.",
  systemPrompt: "Write.",
  tools: [look],
  interruptOn: { look: true },
  skills: ["/skills/"],
  permissions: [{ operations: ["write"], paths: ["/**"], mode: "deny" }],
} satisfies SubAgent;
const compiled = {
  name: "compiled",
  description: "Runs.",
  runnable: createAgent({ model: "openai:gpt-5" }),
} satisfies CompiledSubAgent;
export const any: AnySubAgent[] = [writer, compiled];

const agent = createDeepAgent({
  model: "openai:gpt-5",
  tools: [look],
  middleware: [research],
  subagents: [{ name: "reader", description: "Reads." }],
  stateSchema: z.object({ author: z.string().default("me") }),
  contextSchema: z.object({ user: z.string() }),
  responseFormat: toolStrategy(z.object({ city: z.string() })),
  checkpointer: new MemorySaver(),
  memory: ["/AGENTS.md"],
  skills: ["/skills/"],
});
export const general: DeepAgent = agent as unknown as DeepAgent;
export const params: CreateDeepAgentParams = { model: "openai:gpt-5", name: "main" };

export async function surface(): Promise<void> {
  const result = await agent.invoke(
    { messages: [{ role: "user", content: "hi" }], author: "ada" },
    { context: { user: "ada" }, configurable: { thread_id: "1" } },
  );
  expectTypeOf<typeof result.author>().toEqualTypeOf<string>();
  expectTypeOf<typeof result.found>().toEqualTypeOf<string>();
  expectTypeOf<typeof result.structuredResponse>().toEqualTypeOf<{ city: string }>();
  const paths: string[] = Object.keys(result.files ?? {});
  type Reader = InferSubagentByName<typeof agent, "reader">;
  expectTypeOf<Reader["name"]>().toEqualTypeOf<"reader">();
  expectTypeOf<InferDeepAgentSubagents<typeof agent>[0]["name"]>().toEqualTypeOf<"reader">();
  const run = await agent.streamEvents(
    { messages: [] },
    { version: "v3", context: { user: "ada" } },
  );
  for await (const subagent of run.subagents)
    expectTypeOf<typeof subagent.name>().toEqualTypeOf<"reader">();
  // @ts-expect-error -- no such state
  console.log(paths, result.nothing);
  // @ts-expect-error -- the name of a subagent is a text
  createDeepAgent({ subagents: [{ name: 7, description: "x" }] });
}
