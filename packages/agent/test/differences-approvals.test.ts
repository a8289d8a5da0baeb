import { Command, MemorySaver } from "@langchain/langgraph";
import { tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { create, type Create, scripted } from "./support/both-packages.js";
import { inThread, questions, results, say } from "./support/results.js";
import { type Call, ScriptedModel, task } from "./support/scripted-model.js";

// The rows about approvals of docs/migrating-from-deepagents.md: what either package does with the same program.
const call = (name: string): Call => ({ name, args: {} });
const approve = { type: "approve" };
const decided = (...decisions: unknown[]) => ({ decisions });

/** Tools of these names, which note that they ran. */
function noting(...names: string[]) {
  const ran: string[] = [];
  const tools = names.map((name) =>
    tool(() => `${name} ${ran.push(name)}`, { name, description: "Acts.", schema: z.object({}) }),
  );
  return { ran, tools };
}

/** An agent whose two subagents wait for approval at the same time. */
async function twoQuestions(createDeepAgent: Create) {
  const { ran, tools } = noting("pay");
  const worker = new ScriptedModel((messages) =>
    messages.at(-1)?.getType() === "tool" ? "paid" : [call("pay")],
  );
  const agent = createDeepAgent({
    model: scripted([task("worker"), task("worker")], "done"),
    tools,
    checkpointer: new MemorySaver(),
    subagents: [
      {
        name: "worker",
        description: "Pays.",
        systemPrompt: "Pay.",
        model: worker,
        interruptOn: { pay: true },
      },
    ],
  });
  const [first, second] = questions(await agent.invoke(say("go"), inThread("1")));
  const resume = (answer: object) => agent.invoke(new Command({ resume: answer }), inThread("1"));
  return { ran, resume, ids: [first?.id ?? "", second?.id ?? ""] as const };
}

test("one plain answer to several questions: refused, or it approves all of them", async () => {
  const ours = await twoQuestions(create.ours);
  await expect(ours.resume(decided(approve))).rejects.toThrow(/interrupt id/);
  expect(ours.ran).toEqual([]);
  const theirs = await twoQuestions(create.theirs);
  await theirs.resume(decided(approve));
  expect(theirs.ran).toEqual(["pay", "pay"]);
});

test("a rejection: concerns its own call, or cancels the approved one beside it", async () => {
  const run = async (createDeepAgent: Create) => {
    const { ran, tools } = noting("pay", "mail");
    const agent = createDeepAgent({
      model: scripted([call("pay"), call("mail")], "done"),
      tools,
      interruptOn: { pay: true, mail: true },
      checkpointer: new MemorySaver(),
    });
    await agent.invoke(say("go"), inThread("1"));
    const resume = decided({ type: "reject", message: "no" }, approve);
    await agent.invoke(new Command({ resume }), inThread("1"));
    return ran;
  };
  expect(await run(create.ours)).toEqual(["mail"]);
  expect(await run(create.theirs)).toEqual([]);
});

test("a wrong answer to a subagent: can be given again, or ends the work", async () => {
  const afterwards = async ({ ran, resume, ids }: Awaited<ReturnType<typeof twoQuestions>>) => {
    const wrong = { [ids[0]]: decided(), [ids[1]]: decided(approve) };
    await expect(resume(wrong)).rejects.toThrow(/decisions/);
    const { messages } = await resume({ [ids[0]]: decided(approve) });
    return { ran, reports: results(messages, "task").map(({ text }) => text) };
  };
  const ours = await afterwards(await twoQuestions(create.ours));
  expect(ours).toEqual({ ran: ["pay", "pay"], reports: ["paid", "paid"] });
  await expect(afterwards(await twoQuestions(create.theirs))).rejects.toThrow(/decisions \(0\)/);
});

test("interruptOn without a checkpointer: fails before the model is called, or after", async () => {
  const run = async (createDeepAgent: Create) => {
    const { tools } = noting("pay");
    const model = scripted([call("pay")], "done");
    const agent = createDeepAgent({ model, tools, interruptOn: { pay: true } });
    await expect(agent.invoke(say("go"))).rejects.toThrow(/checkpointer/i);
    return model.received.length;
  };
  expect(await run(create.ours)).toBe(0);
  expect(await run(create.theirs)).toBe(1);
});
