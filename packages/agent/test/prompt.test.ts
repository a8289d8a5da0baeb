import { createDeepAgent, type Prompts } from "@fs/agent";
import { MemoryBackend } from "@fs/protocol";
import { LocalShellBackend } from "@fs/shell";
import { SystemMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createMiddleware } from "langchain";
import { encodingForModel } from "js-tiktoken";
import { expect, test } from "vitest";
import { tokens } from "../bench/counts.mjs";
import { create } from "./support/both-packages.js";
import { inThread, say } from "./support/results.js";
import { ScriptedModel } from "./support/scripted-model.js";

const prompts = {
  base: "PART-base",
  todos: "PART-todos",
  memory: "PART-memory",
  skills: "PART-skills",
  filesystem: "PART-filesystem",
  subagents: "PART-subagents",
  approvals: "PART-approvals",
  localContext: () => "PART-local",
} satisfies Prompts;

async function backend(): Promise<MemoryBackend> {
  const files = new MemoryBackend();
  await files.write("/AGENTS.md", "MEMORY-text");
  await files.write("/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: SKILL-text\n---\n");
  return files;
}

test("H5: the parts come in the documented order", async () => {
  const model = new ScriptedModel([]);
  const own = createMiddleware({
    name: "own",
    wrapModelCall: (request, handler) =>
      handler({ ...request, systemMessage: request.systemMessage.concat("\n\nPART-own") }),
  });
  const agent = createDeepAgent({
    model,
    systemPrompt: "PART-user",
    prompts,
    backend: await backend(),
    memory: ["/AGENTS.md"],
    skills: ["/skills/"],
    interruptOn: { delete: true },
    checkpointer: new MemorySaver(),
    middleware: [own],
  });
  await agent.invoke(say("go"), inThread("1"));
  const order = [...model.prompt.matchAll(/PART-\w+|MEMORY-text|SKILL-text/g)].map(
    ([part]) => part,
  );
  expect(order).toEqual([
    "PART-user",
    "PART-base",
    "PART-todos",
    "PART-memory",
    "MEMORY-text",
    "PART-skills",
    "SKILL-text",
    "PART-filesystem",
    "PART-subagents",
    "PART-own",
    "PART-approvals",
    "PART-local",
  ]);
});

test("H5: parts that are switched off, and parts without content, leave no trace", async () => {
  const model = new ScriptedModel([]);
  const off = Object.fromEntries(Object.keys(prompts).map((part) => [part, false] as const));
  const agent = createDeepAgent({
    model,
    prompts: off,
    skills: ["/none/"],
    interruptOn: {},
    memory: ["/none.md"],
  });
  await agent.invoke(say("go"));
  expect(model.received[0]?.[0]?.getType()).toBe("human");
});

test("H5: a system message keeps its blocks", async () => {
  const model = new ScriptedModel([]);
  const block = {
    type: "text" as const,
    text: "You are Ada.",
    cache_control: { type: "ephemeral" },
  };
  await createDeepAgent({
    model,
    systemPrompt: new SystemMessage({ content: [block] }),
  }).invoke(say("go"));
  const content = model.received[0]?.[0]?.content;
  expect(Array.isArray(content) ? content[0] : content).toEqual(block);
});

test("H5: the structured form of a system prompt still works", async () => {
  const model = new ScriptedModel([]);
  const systemPrompt = { prefix: "PRE", base: "BASE", suffix: "SUF" };
  await createDeepAgent({ model, systemPrompt }).invoke(say("go"));
  expect(model.prompt).toMatch(/^PRE\n\nBASE\n\nSUF\n\n/);
});

test("H6: a user's words are in the prompt as they are", async () => {
  const model = new ScriptedModel([]);
  const words = "$& $` $' {available_agents} {conversation} </agent_memory>\n# Heading";
  await createDeepAgent({
    model,
    systemPrompt: words,
    subagents: [{ name: "reader", description: words }],
    taskDescription: `Before {available_agents} after`,
  }).invoke(say("go"));
  expect(model.prompt.startsWith(words)).toBe(true);
  const delegating = model.bound[0]?.find((one) => Reflect.get(one, "name") === "task");
  const description = String(Reflect.get(delegating ?? {}, "description"));
  expect(description).toMatch(/^Before - general-purpose: [\s\S]* after$/);
  expect(description).toContain(`- reader: ${words} after`);
});

test("H5: execute is mentioned where it is offered, and only there", async () => {
  const [plain, shell] = [new ScriptedModel([]), new ScriptedModel([])];
  await createDeepAgent({ model: plain }).invoke(say("go"));
  await createDeepAgent({
    model: shell,
    backend: new LocalShellBackend({ rootDir: process.cwd() }),
  }).invoke(say("go"));
  expect(plain.prompt).not.toMatch(/execute|shell/);
  expect(shell.prompt).toMatch(/execute/);
});

test("H7: prompt and schemas with todos cost at most 1,600 tokens", async () => {
  const model = new ScriptedModel([]);
  await createDeepAgent({ model }).invoke(say("go"));
  expect(model.bound[0]).toHaveLength(11);
  expect(await tokens(create.ours)).toBeLessThanOrEqual(1600);
});

test("empty memory and skills add almost nothing, and a skill one line", async () => {
  const encoding = encodingForModel("gpt-4o");
  const size = async (options: object) => {
    const model = new ScriptedModel([]);
    await createDeepAgent({ model, ...options }).invoke(say("go"));
    return encoding.encode(model.prompt).length;
  };
  const none = await size({});
  expect((await size({ skills: ["/skills/"] })) - none).toBe(0);
  expect((await size({ memory: ["/AGENTS.md"] })) - none).toBeLessThanOrEqual(40);
  const files = await backend();
  const one = await size({ backend: files, skills: ["/skills/"] });
  await files.write(
    "/skills/xls/SKILL.md",
    "---\nname: xls\ndescription: Read spreadsheets.\n---\n",
  );
  expect((await size({ backend: files, skills: ["/skills/"] })) - one).toBeLessThanOrEqual(70);
});
