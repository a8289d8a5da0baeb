// CPU of a turn and checkpointed bytes, beside deepagents and a plain createAgent. node packages/agent/bench/turns.mjs <which> [turns]
import { createRequire } from "node:module";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, tool } from "langchain";
import { z } from "zod";

const [which = "agent", turns = "40"] = process.argv.slice(2);
class Model extends BaseChatModel {
  constructor() {
    super({});
    this.calls = 0;
  }
  _llmType() {
    return "bench";
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const call = messages.at(-1).getType() === "human";
    const message = call
      ? new AIMessage({
          content: "",
          tool_calls: [{ type: "tool_call", id: `c${++this.calls}`, name: "look", args: {} }],
        })
      : new AIMessage("done");
    return { generations: [{ text: "", message }] };
  }
}
const look = tool(() => "ok", { name: "look", description: "Looks.", schema: z.object({}) });
class Counting extends MemorySaver {
  loads = 0;
  async getTuple(config) {
    this.loads++;
    return super.getTuple(config);
  }
}
const checkpointer = new Counting();
const params = { model: new Model(), tools: [look], checkpointer };
const make = {
  plain: async () => createAgent(params),
  agent: async () => (await import("@fs/agent")).createDeepAgent(params),
  deepagents: async () => (await import("deepagents")).createDeepAgent(params),
};
const agent = await make[which]();
const config = { configurable: { thread_id: "1" } };
const cpu = [];
for (let turn = 0; turn < Number(turns); turn++) {
  const before = process.cpuUsage();
  checkpointer.loads = 0;
  await agent.invoke({ messages: [{ role: "user", content: `turn ${turn}` }] }, config);
  const { user, system } = process.cpuUsage(before);
  cpu.push((user + system) / 1000);
}
const mean = (list) => Math.round(list.reduce((sum, one) => sum + one, 0) / list.length);
const report = {
  which,
  langchain: createRequire(import.meta.url)("langchain/package.json").version,
  first5: mean(cpu.slice(5, 10)),
  last5: mean(cpu.slice(-5)),
  loadsInLastTurn: checkpointer.loads,
};
console.log(JSON.stringify(report));
