import { createDeepAgent } from "@fs/agent";
import { AIMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { type Decision, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inThread, questions, results, say, stateOf } from "./support/results.js";
import { type Call, type Reply, ScriptedModel, task } from "./support/scripted-model.js";

function setup(replies: readonly Reply[], more: object = {}) {
  const ran: Array<[string, unknown]> = [];
  const acting = (name: string) =>
    tool(
      (args) => {
        ran.push([name, args]);
        return `${name} ran`;
      },
      { name, description: "Acts.", schema: z.object({ to: z.string().default("") }) },
    );
  const model = new ScriptedModel(replies);
  const agent = createDeepAgent({
    model,
    tools: [acting("mail"), acting("pay"), acting("look")],
    checkpointer: new MemorySaver(),
    interruptOn: { mail: true, pay: true },
    ...more,
  });
  const answer = (...decisions: unknown[]) =>
    agent.invoke(new Command({ resume: { decisions } }), inThread("1"));
  return { agent, model, ran, answer, start: () => agent.invoke(say("go"), inThread("1")) };
}
const call = (name: string, to = "ada", id?: string): Call => ({
  name,
  args: { to },
  ...(id === undefined ? {} : { id }),
});
const approve: Decision = { type: "approve" };
const reject = (message?: string): Decision => ({
  type: "reject",
  ...(message === undefined ? {} : { message }),
});
const change = (name: string, to: string): Decision => ({
  type: "edit",
  editedAction: { name, args: { to } },
});

describe("H28, H33: the question", () => {
  test("has the waiting calls of a turn in order, and nothing of the turn has run", async () => {
    const { start, ran } = setup([[call("look"), call("pay", "bob"), call("mail")], "done"]);
    const [question, ...more] = questions(await start());
    expect(more).toEqual([]);
    expect(question?.value).toEqual({
      actionRequests: [
        {
          name: "pay",
          args: { to: "bob" },
          description: 'Tool execution requires approval\n\nTool: pay\nArgs: {\n  "to": "bob"\n}',
        },
        {
          name: "mail",
          args: { to: "ada" },
          description: 'Tool execution requires approval\n\nTool: mail\nArgs: {\n  "to": "ada"\n}',
        },
      ],
      reviewConfigs: [
        { actionName: "pay", allowedDecisions: ["approve", "edit", "reject"] },
        { actionName: "mail", allowedDecisions: ["approve", "edit", "reject"] },
      ],
    });
    expect(ran).toEqual([]);
  });
});

describe("H29: each decision acts on its own call", () => {
  test("one rejection leaves the approved call and the unasked one alone", async () => {
    const { start, answer, ran, model } = setup([
      [call("pay"), call("mail", "bob"), call("look", "eve")],
      "done",
    ]);
    await start();
    const { messages } = await answer(reject("not now, $& {conversation}"), approve);
    expect(inOrder(ran)).toEqual([
      ["look", { to: "eve" }],
      ["mail", { to: "bob" }],
    ]);
    expect(results(messages).map(({ name, text, status }) => [name, text, status])).toEqual([
      ["pay", "not now, $& {conversation}", "error"],
      ["mail", "mail ran", "success"],
      ["look", "look ran", "success"],
    ]);
    expect(model.received.at(-1)?.filter((message) => message.getType() === "tool")).toHaveLength(
      3,
    );
  });

  test("when all are rejected the model is asked again", async () => {
    const { start, answer, ran } = setup([[call("pay"), call("mail")], "understood"]);
    await start();
    const { messages } = await answer(reject(), reject());
    expect(messages.at(-1)?.text).toBe("understood");
    expect(ran).toEqual([]);
  });

  test("approve, edit and reject in one turn", async () => {
    const { start, answer, ran } = setup([
      [call("pay"), call("pay", "bob"), call("mail", "eve")],
      "done",
    ]);
    await start();
    await answer(reject(), change("pay", "carol"), approve);
    expect(inOrder(ran)).toEqual([
      ["mail", { to: "eve" }],
      ["pay", { to: "carol" }],
    ]);
  });
});

describe("H30: an edited call", () => {
  test("runs with its new arguments, which take the old ones' place everywhere", async () => {
    const message = new AIMessage({
      content: [
        { type: "text", text: "Paying." },
        { type: "tool_use", id: "p1", name: "pay", input: { to: "mallory" } },
      ],
      tool_calls: [{ id: "p1", name: "pay", args: { to: "mallory" }, type: "tool_call" }],
      additional_kwargs: {
        tool_calls: [
          {
            id: "p1",
            type: "function",
            function: { name: "pay", arguments: '{"to":"mallory"}' },
          },
        ],
      },
      response_metadata: {
        output: [
          { type: "function_call", call_id: "p1", name: "pay", arguments: '{"to":"mallory"}' },
        ],
      },
    });
    const { start, answer, ran, model } = setup([message, "done"]);
    await start();
    await answer(change("pay", "bob"));
    expect(ran).toEqual([["pay", { to: "bob" }]]);
    expect(JSON.stringify(model.received.at(-1))).not.toContain("mallory");
  });

  test("may name another tool of the agent, but none that does not exist or must not be approved", async () => {
    const rules = { interruptOn: { mail: true, pay: { allowedDecisions: ["reject"] } } };
    const { start, answer, ran, agent } = setup([[call("mail")], "done"], rules);
    await start();
    await expect(answer(change("nothing", "bob"))).rejects.toThrow(/'nothing'/);
    await expect(answer(change("pay", "bob"))).rejects.toThrow(/'pay'/);
    expect(ran).toEqual([]);
    expect(
      (await stateOf(agent, "1")).tasks.flatMap(({ interrupts }) => interrupts ?? []),
    ).toHaveLength(1);
    await answer(change("look", "bob"));
    expect(ran).toEqual([["look", { to: "bob" }]]);
  });
});

describe("H31: wrong decisions run nothing and leave the question open", () => {
  test.each([
    ["too few", { decisions: [] }, /0 decisions were given for 1/],
    ["too many", { decisions: [approve, approve] }, /2 decisions were given for 1/],
    ["of an unknown type", { decisions: [{ type: "maybe" }] }, /Decision 1, about 'pay'.*"maybe"/],
    ["no decisions", { yes: true }, /must be \{ decisions/],
    ["a text", "approve", /must be \{ decisions/],
    [
      "an edit without arguments",
      { decisions: [{ type: "edit", editedAction: {} }] },
      /name, args/,
    ],
    ["a rejection with no words", { decisions: [{ type: "reject", message: 7 }] }, /message/],
  ])("%s", async (_what, resume, sentence) => {
    const { agent, start, answer, ran } = setup([[call("pay")], "done"]);
    await start();
    await expect(agent.invoke(new Command({ resume }), inThread("1"))).rejects.toThrow(sentence);
    await expect(agent.invoke(new Command({ resume }), inThread("1"))).rejects.toThrow(sentence);
    expect(ran).toEqual([]);
    const { messages } = await answer(approve);
    expect(ran).toHaveLength(1);
    expect(messages.at(-1)?.text).toBe("done");
  });

  test("also in a subagent, whose siblings go on", async () => {
    const { agent, ran } = setup([[task("worker"), task("worker")], "done"], {
      subagents: [
        {
          name: "worker",
          description: "Pays.",
          model: new ScriptedModel((messages) =>
            messages.at(-1)?.getType() === "tool" ? "paid" : [call("pay")],
          ),
        },
      ],
    });
    const [first, second] = questions(await agent.invoke(say("go"), inThread("1")));
    const ids = [first?.id ?? "", second?.id ?? ""] as const;
    const wrong = { [ids[0]]: { decisions: [] }, [ids[1]]: { decisions: [approve] } };
    await expect(agent.invoke(new Command({ resume: wrong }), inThread("1"))).rejects.toThrow(
      /0 decisions/,
    );
    const rest = { [ids[0]]: { decisions: [approve] } };
    const { messages } = await agent.invoke(new Command({ resume: rest }), inThread("1"));
    expect(results(messages, "task").map(({ text }) => text)).toEqual(["paid", "paid"]);
    expect(ran).toHaveLength(2);
  });
});

describe("H32: several questions", () => {
  test("are answered by id; a plain answer to all is refused and runs nothing", async () => {
    const { agent, ran, answer } = setup([[task("worker"), task("worker")], "done"], {
      subagents: [
        {
          name: "worker",
          description: "Pays.",
          model: new ScriptedModel((messages) =>
            messages.at(-1)?.getType() === "tool" ? (messages.at(-1)?.text ?? "") : [call("pay")],
          ),
        },
      ],
    });
    const asked = questions(await agent.invoke(say("go"), inThread("1")));
    expect(asked).toHaveLength(2);
    await expect(answer(approve)).rejects.toThrow(/interrupt id/);
    expect(ran).toEqual([]);
    const resume = {
      [asked[0]?.id ?? ""]: { decisions: [approve] },
      [asked[1]?.id ?? ""]: { decisions: [reject("no")] },
    };
    const { messages } = await agent.invoke(new Command({ resume }), inThread("1"));
    expect(results(messages, "task").map(({ text }) => text)).toEqual(["pay ran", "no"]);
    expect(ran).toHaveLength(1);
  });
});

describe("H34, H35", () => {
  test("task itself can wait", async () => {
    const { agent, answer } = setup([[task("general-purpose")], "done"], {
      interruptOn: { task: true },
      generalPurpose: { model: new ScriptedModel(["report"]) },
    });
    const [question] = questions(await agent.invoke(say("go"), inThread("1")));
    expect(question?.value.actionRequests[0]?.name).toBe("task");
    const { messages } = await answer(approve);
    expect(results(messages, "task")[0]?.text).toBe("report");
  });

  test("when, description and allowedDecisions are LangChain's", async () => {
    const { start, answer, ran } = setup([[call("pay", "bob"), call("pay", "ada")], "done"], {
      interruptOn: {
        pay: {
          allowedDecisions: ["approve", "reject"],
          description: ({ args }: { args: { to: string } }) => `Pay ${args.to}?`,
          when: ({ toolCall }: { toolCall: { args: { to: string } } }) =>
            toolCall.args.to === "bob",
        },
        mail: false,
      },
    });
    const [question] = questions(await start());
    expect(question?.value.actionRequests.map(({ description }) => description)).toEqual([
      "Pay bob?",
    ]);
    expect(question?.value.reviewConfigs).toEqual([
      { actionName: "pay", allowedDecisions: ["approve", "reject"] },
    ]);
    await expect(answer(change("pay", "eve"))).rejects.toThrow(/approve, reject/);
    await answer(approve);
    expect(ran).toHaveLength(2);
  });
});

/** Calls that run side by side end in any order. */
function inOrder(ran: ReadonlyArray<[string, unknown]>): Array<[string, unknown]> {
  return ran.toSorted(([a], [b]) => a.localeCompare(b));
}
