// CPU and checkpoints of the turns of one thread, each with two calls of the model and one of a tool:
//
//   node packages/agent/bench/turns.mjs agent|deepagents|step|plain [turns]
//
// One process for each, so that none warms up another. Prints JSON: CPU milliseconds of turn 5 and of the last turn, medians of
// five turns, and what the last turn stored and read. Needs a build.
import { createAgent, createMiddleware, tool } from "langchain";
import { z } from "zod";
import { CountingSaver } from "./counting-saver.mjs";
import { say, ScriptedModel } from "./scripted-model.mjs";

const [which = "agent", turns = "40"] = process.argv.slice(2);
const asks = (messages) => messages.at(-1).getType() === "human";
const model = new ScriptedModel((messages) =>
  asks(messages) ? [{ name: "look", args: {} }] : "done",
);
const look = tool(() => "ok", { name: "look", description: "Looks.", schema: z.object({}) });
const step = createMiddleware({ name: "step", beforeModel: () => undefined });
const checkpointer = new CountingSaver();
const params = { model, tools: [look], checkpointer };
const make = {
  plain: async () => createAgent(params),
  // The least that a checkpointed step before each call of the model costs.
  step: async () => createAgent({ ...params, middleware: [step] }),
  agent: async () => (await import("@fs/agent")).createDeepAgent(params),
  deepagents: async () => (await import("deepagents")).createDeepAgent(params),
};
const agent = await make[which]();
const config = { configurable: { thread_id: "1" } };
const cpu = [];
let counts;
for (let turn = 1; turn <= Number(turns); turn++) {
  checkpointer.take();
  const before = process.cpuUsage();
  await agent.invoke(say(`turn ${turn}`), config);
  const { user, system } = process.cpuUsage(before);
  counts = checkpointer.take();
  cpu.push((user + system) / 1000);
}
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
console.log(
  JSON.stringify({ which, early: median(cpu.slice(2, 7)), late: median(cpu.slice(-5)), ...counts }),
);
