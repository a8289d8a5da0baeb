import { createDeepAgent, createPatchToolCallsMiddleware } from "@fs/agent";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inThread, results, say } from "./support/results.js";
import { ScriptedModel, write } from "./support/scripted-model.js";

const calling = (...ids: string[]) =>
  new AIMessage({
    content: "",
    tool_calls: ids.map((id) => ({ id, name: "look", args: {}, type: "tool_call" as const })),
  });
const answered = (id: string, content = `answer ${id}`) =>
  new ToolMessage({ content, tool_call_id: id, name: "look" });

describe("H45: every call that the model is shown has exactly one answer", () => {
  const shown = async (...messages: BaseMessage[]): Promise<string[]> => {
    const model = new ScriptedModel([]);
    await createAgent({ model, middleware: [createPatchToolCallsMiddleware()] }).invoke({
      messages,
    });
    return (model.received[0] ?? []).map((message) =>
      ToolMessage.isInstance(message)
        ? `${message.tool_call_id}=${message.text.split(" ").slice(0, 2).join(" ")}`
        : message.getType(),
    );
  };

  test("a missing answer says what is known", async () => {
    expect(await shown(calling("a", "b"), answered("b"), new HumanMessage("go"))).toEqual([
      "ai",
      "a=The call",
      "b=answer b",
      "human",
    ]);
  });

  test("an answer that came late is shown in its place, a second and an orphan are not", async () => {
    const messages = [
      answered("z"),
      calling("a"),
      new HumanMessage("go"),
      answered("a"),
      answered("a", "again b"),
    ];
    expect(await shown(...messages)).toEqual(["ai", "a=answer a", "human"]);
  });

  test("arguments that were cut off are answered: the call was not run", async () => {
    const cut = (content: AIMessage["content"]) =>
      new AIMessage({
        content: content as string,
        additional_kwargs: {
          tool_calls: [
            { id: "a", type: "function", function: { name: "look", arguments: "{}" } },
            { id: "b", type: "function", function: { name: "write_file", arguments: '{"conte' } },
          ],
        },
      });
    for (const content of ["", [{ type: "tool_use", id: "b", name: "write_file", input: "{" }]]) {
      const model = new ScriptedModel([]);
      const messages = [cut(content), answered("a"), new HumanMessage("go on")];
      await createAgent({ model, middleware: [createPatchToolCallsMiddleware()] }).invoke({
        messages,
      });
      const [sent, ...rest] = model.received[0] ?? [];
      expect(AIMessage.isInstance(sent) ? sent.tool_calls : sent).toMatchObject([
        { id: "a", name: "look" },
        { id: "b", name: "write_file", args: {} },
      ]);
      // Providers read these too, and would send the call in pieces.
      expect(JSON.stringify([sent?.content, sent?.additional_kwargs])).not.toMatch(
        /conte|tool_use/,
      );
      expect(rest.map(({ text }) => text)).toEqual([
        "answer a",
        expect.stringMatching(/^The call of 'write_file' was not run: .* not whole JSON/),
        "go on",
      ]);
    }
  });

  test("an unreadable call without an id has an answer too", async () => {
    const messages = [
      calling("a"),
      answered("a"),
      new AIMessage({
        content: "I look.",
        invalid_tool_calls: [{ type: "invalid_tool_call", name: "look", args: "{" }],
      }),
    ];
    const seen = await shown(...messages, new HumanMessage("go"));
    expect(seen).toEqual([
      "ai",
      "a=answer a",
      "ai",
      expect.stringMatching(/^unreadable_.*=The call$/),
      "human",
    ]);
  });

  test("an unreadable call beside one whose id is replaced stays in the state", async () => {
    const reply = new AIMessage({
      content: "",
      tool_calls: [{ ...write("/a.md", "a"), id: "", type: "tool_call" }],
      invalid_tool_calls: [{ type: "invalid_tool_call", id: "b", name: "write_file", args: "{" }],
    });
    const model = new ScriptedModel([reply, "done"]);
    const { messages } = await createDeepAgent({ model }).invoke(say("go"));
    const kept = messages.find((message) => AIMessage.isInstance(message));
    expect(kept).toMatchObject({ invalid_tool_calls: [{ id: "b" }] });
    expect((model.received[1] ?? []).filter(ToolMessage.isInstance)).toHaveLength(2);
  });

  test("an id that a model uses again is another call, and runs", async () => {
    const model = new ScriptedModel([
      [{ ...write("/a.md", "a"), id: "same" }],
      [{ ...write("/b.md", "b"), id: "same" }],
      [
        { ...write("/c.md", "c"), id: "" },
        { ...write("/d.md", "d"), id: "" },
      ],
      "done",
    ]);
    const { files } = await createDeepAgent({ model }).invoke(say("go"));
    expect(Object.keys(files).toSorted()).toEqual(["/a.md", "/b.md", "/c.md", "/d.md"]);
  });
});

describe("H46: errors of tools are messages", () => {
  const throwing = tool(
    () => {
      throw new RangeError("password hunter2 in /srv/app/.netrc");
    },
    { name: "mail", description: "Mails.", schema: z.object({ to: z.string() }) },
  );

  test("a failing tool, wrong arguments and an unknown tool", async () => {
    const errors: unknown[] = [];
    const model = new ScriptedModel([
      [
        { name: "mail", args: { to: "ada" } },
        { name: "mail", args: { too: 1 } },
        { name: "nothing", args: {} },
      ],
      "done",
    ]);
    const agent = createDeepAgent({
      model,
      tools: [throwing],
      onError: (error, { where }) => errors.push([where, (error as Error).name]),
    });
    const { messages } = await agent.invoke(say("go"));
    const [failed, wrong, unknown] = results(messages);
    expect(failed?.text).toBe(
      "Error: the tool 'mail' failed (RangeError). Try other arguments, or go on without it.",
    );
    expect(wrong?.text).toMatch(
      /arguments of 'mail' are not valid[\s\S]*Expected: to \(string\)\./,
    );
    expect(unknown?.status).toBe("error");
    for (const message of results(messages)) {
      expect(message.status).toBe("error");
      expect(message.text).not.toMatch(/hunter2|srv|node_modules|\n +at /);
    }
    expect(errors).toContainEqual(["tool mail", "RangeError"]);
  });

  test("an onError that throws breaks nothing", async () => {
    const model = new ScriptedModel([[{ name: "mail", args: { to: "ada" } }], "done"]);
    const agent = createDeepAgent({
      model,
      tools: [throwing],
      onError: () => {
        throw new Error("log is full");
      },
    });
    expect((await agent.invoke(say("go"))).messages.at(-1)?.text).toBe("done");
  });
});

describe("todos", () => {
  const todos = (content: string) => ({
    name: "write_todos",
    args: { todos: [{ content, status: "pending" }] },
  });

  test("are in the state; a subagent's never meet the agent's", async () => {
    const model = new ScriptedModel([[todos("mine")], "done"]);
    const { todos: list } = await createDeepAgent({ model }).invoke(say("go"));
    expect(list).toEqual([{ content: "mine", status: "pending" }]);
  });

  test("two lists in one turn are refused, and the model goes on", async () => {
    const model = new ScriptedModel([[todos("a"), todos("b")], [todos("c")], "done"]);
    const { todos: list, messages } = await createDeepAgent({ model }).invoke(say("go"));
    expect(list).toEqual([{ content: "c", status: "pending" }]);
    expect(messages.at(-1)?.text).toBe("done");
    expect(results(messages).map(({ status }) => status === "error")).toEqual([true, true, false]);
  });

  test("one that a human rejected does not count", async () => {
    const model = new ScriptedModel([[todos("a"), todos("b")], "done"]);
    const agent = createDeepAgent({
      model,
      checkpointer: new MemorySaver(),
      interruptOn: { write_todos: true },
    });
    await agent.invoke(say("go"), inThread("1"));
    const decisions = [{ type: "reject", message: "no" }, { type: "approve" }];
    const { todos: list } = await agent.invoke(
      new Command({ resume: { decisions } }),
      inThread("1"),
    );
    expect(list).toEqual([{ content: "b", status: "pending" }]);
  });
});

test("H47: two users of one agent at once see nothing of each other", async () => {
  const model = new ScriptedModel((messages) => `heard ${messages.at(-1)?.text ?? ""}`);
  const agent = createDeepAgent({ model, checkpointer: new MemorySaver() });
  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const { messages } = await agent.invoke(say(`user ${at}`), inThread(`${at}`));
      return messages.map(({ text }) => text);
    }),
  );
  expect(answers).toEqual(
    Array.from({ length: 10 }, (_, at) => [`user ${at}`, `heard user ${at}`]),
  );
});
