import { Command, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "@fs/agent";
import { estimateTokens } from "@fs/middleware";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { encodingForModel } from "js-tiktoken";
import { expect, test } from "vitest";
import { questions, results, say, inThread, texts } from "./support/results.js";
import { edit, read, ScriptedModel, task, write } from "./support/scripted-model.js";

test("tokens", async () => {
  const model = new ScriptedModel([]);
  await createDeepAgent({ model }).invoke(say("hi"));
  const enc = encodingForModel("gpt-4o");
  const all = [model.prompt, ...model.bound[0]!.map((t) => JSON.stringify(convertToOpenAITool(t as never)))];
  for (const a of all) console.log(enc.encode(a).length, estimateTokens(a), a);
  console.log(all.reduce((s, a) => s + enc.encode(a).length, 0));
});

test("shares", async () => {
  const N = Number(process.env.N ?? 8);
  const child = new ScriptedModel((messages) => {
    const n = messages.at(-1)!.getType() === "human" ? messages.at(-1)!.text : undefined;
    if (n) return [read("/f.md")];
    const first = messages.find((m) => m.getType() === "human")!.text;
    const count = messages.filter((m) => m.getType() === "tool").length;
    if (count === 1) return [{...edit("/f.md", `line ${first}\n`, `done ${first}\n`)}];
    return `report ${first}`;
  });
  const model = new ScriptedModel([
    [write("/f.md", Array.from({ length: N }, (_, i) => `line ${i}\n`).join(""))],
    Array.from({ length: N }, (_, i) => task("worker", String(i))),
    "bye",
  ]);
  const agent = createDeepAgent({ model, onError: (e, w) => console.log(w, e), checkpointer: new MemorySaver(), interruptOn: { edit_file: true }, subagents: [{ name: "worker", description: "w", model: child }] });
  let result = await agent.invoke(say("go"), inThread("1"));
  console.log(questions(result).length);
  await expect(agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), inThread("1"))).rejects.toThrow(/interrupt id/);
  await expect(agent.invoke(new Command({ resume: { [questions(result)[0]!.id]: { decisions: [] } } }), inThread("1"))).rejects.toThrow(/0 decisions/);
  for (let q = questions(result); q.length > 0; q = questions(result))
    result = await agent.invoke(new Command({ resume: { [q[0]!.id]: { decisions: [{ type: "approve" }] } } }), inThread("1"));
  console.log(results(result.messages).map((m) => m.text), texts(result.files));
});
