import { createDeepAgent, type SummarizationOptions } from "@fs/agent";
import { MemoryBackend, withPermissions } from "@fs/protocol";
import { ContextOverflowError } from "@langchain/core/errors";
import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { tool, toolStrategy } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inThread, messagesOf, say, updateState } from "./support/results.js";
import {
  type Policy,
  type Reply,
  reporting,
  ScriptedModel,
  task,
  write,
} from "./support/scripted-model.js";

const six: SummarizationOptions = {
  trigger: { type: "messages", value: 6 },
  keep: { type: "messages", value: 2 },
};

function setup(
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
const sent = (model: ScriptedModel) =>
  (model.received.at(-1) ?? []).slice(1).map((message) => message.text);
async function history(backend: MemoryBackend, thread: string, agent = "main"): Promise<string> {
  const { content } = await backend.read(`/conversation_history/${thread}/${agent}.md`, 0, 10_000);
  return typeof content === "string" ? content : "";
}
const headings = (text: string) => text.match(/^## \w+ \S+$/gm) ?? [];

describe("H19–H22, H27: a summary", () => {
  test("is made once, after its messages were saved, and the messages stay in the state", async () => {
    const { agent, model, summarizer, backend, turns } = setup();
    await turns("t1", "one", "two", "three");
    expect(summarizer.received).toHaveLength(0);
    await turns("t1", "four");
    expect(summarizer.received).toHaveLength(1);
    expect(sent(model)[0]).toMatch(/SUMMARY-TEXT[\s\S]*\/conversation_history\/t1\/main\.md/);
    expect(sent(model).slice(1)).toEqual(["answer 6", "four"]);
    expect(headings(await history(backend, "t1"))).toHaveLength(5);
    const messages = await messagesOf(agent, "t1");
    expect(messages).toHaveLength(8);
    // The next one takes up the first, and appends only what is new.
    await turns("t1", "five", "six");
    expect(summarizer.received).toHaveLength(2);
    expect(summarizer.received[1]?.[0]?.text).toContain("SUMMARY-TEXT");
    const all = headings(await history(backend, "t1"));
    expect(new Set(all).size).toBe(all.length);
  });

  test("the last message of the human stays, and calls are not parted from their results", async () => {
    const calls: Reply[] = Array.from({ length: 8 }, (_, at) => [write(`/f${at}.md`, "x")]);
    const { model, turns } = setup(six, [...calls, "done"]);
    await turns("t1", "the question");
    for (const messages of model.received.slice(4)) {
      expect(messages.map(({ text }) => text)).toContain("the question");
      const asked = messages.flatMap((one) =>
        AIMessage.isInstance(one) ? (one.tool_calls ?? []).map(({ id }) => id) : [],
      );
      const answered = messages.flatMap((one) =>
        one.getType() === "tool" ? [Reflect.get(one, "tool_call_id")] : [],
      );
      expect(answered).toEqual(asked);
    }
  });

  test("threads do not meet, whatever their ids", async () => {
    const { backend, turns } = setup();
    const ids = ["../x", "a/b", "x".repeat(300), "🦊", "A", "a", "..", ".", ""];
    for (const [at, id] of ids.entries())
      if (id !== "") await turns(id, `first-${at}-`, "two", "three", "four");
    const { files = [] } = await backend.glob("**/*", "/conversation_history");
    expect(files).toHaveLength(ids.length - 1);
    for (const { path } of files) {
      expect(path).toMatch(/^\/conversation_history\/[a-z0-9_-]+\/main\.md$/);
      const { content } = await backend.read(path, 0, 1000);
      expect(new Set(String(content).match(/first-\d-/g)).size).toBe(1);
    }
  });

  test("H6: messages with patterns and placeholders are verbatim to the summarizer, and quoted in the file", async () => {
    const text = "$& $` $' {conversation} </agent_memory>\n# Heading\n## human x";
    const { summarizer, backend, turns } = setup();
    await turns("t1", text, "two", "three", "four");
    const prompt = summarizer.received[0]?.[0]?.text ?? "";
    expect(prompt.split(text)).toHaveLength(2);
    expect(headings(await history(backend, "t1"))).toHaveLength(5);
    expect(await history(backend, "t1")).toContain("> # Heading");
  });

  test("prune removes what was saved and summarized, and nothing else", async () => {
    const { agent, model, turns } = setup({ ...six, prune: true });
    await turns("t1", "one", "two", "three", "four", "five");
    const messages = await messagesOf(agent, "t1");
    expect(messages.map(({ text }) => text)).toEqual([
      "answer 6",
      "four",
      "answer 4",
      "five",
      "answer 6",
    ]);
    expect(sent(model)[0]).toContain("SUMMARY-TEXT");
  });

  test("H25: names files and skills that the model's summary left out", async () => {
    const replies: Reply[] = [
      [write("/report.md", "x")],
      [{ name: "read_file", args: { file_path: "/skills/pdf/SKILL.md" } }],
      "a",
      "b",
      "c",
    ];
    const { model, turns, backend } = setup(six, replies);
    await backend.write("/skills/pdf/SKILL.md", "x");
    await turns("t1", "one", "two", "three");
    expect(sent(model)[0]).toMatch(/\/report\.md[\s\S]*read_file: \/skills\/pdf\/SKILL\.md/);
  });

  test("a message too long for the summarizer is summarized in parts, none of it dropped", async () => {
    const small = new ScriptedModel(() => "PART", { maxInputTokens: 2000 });
    const { turns } = setup({ ...six, model: small });
    const words = Array.from({ length: 4000 }, (_, at) => `w${at}`).join(" ");
    await turns("t1", words, "two", "three", "four");
    expect(small.received.length).toBeGreaterThan(3);
    const seen = small.received.map(([message]) => message?.text ?? "").join("");
    for (const word of ["w0 ", "w1999 ", "w3999"]) expect(seen).toContain(word);
  });
});

describe("H20: messages that a user changes", () => {
  const edit = async (
    change: (messages: BaseMessage[]) => BaseMessage[],
    ...after: string[]
  ): Promise<string[]> => {
    // High enough that the changed conversation is not summarized again at once.
    let value = 6;
    const size = {
      type: "messages" as const,
      get value() {
        return value;
      },
    };
    const { agent, model, turns } = setup({ ...six, trigger: size });
    await turns("t1", "one", "two", "three", "four");
    const messages = await messagesOf(agent, "t1");
    value = 20;
    await updateState(agent, "t1", { messages: change(messages) });
    await turns("t1", ...after);
    return sent(model);
  };
  const gone = (message: BaseMessage | undefined) => new RemoveMessage({ id: message?.id ?? "" });

  test("deleted ones hide no other", async () => {
    const seen = await edit((messages) => [gone(messages[0]), gone(messages[1])], "new question");
    expect(seen[0]).toContain("SUMMARY-TEXT");
    expect(seen.slice(1)).toEqual(["answer 6", "four", "answer 4", "new question"]);
  });

  test("an edited one is shown again", async () => {
    const seen = await edit(
      ([first]) => [new HumanMessage({ id: first?.id ?? "", content: "CHANGED" })],
      "new question",
    );
    expect(seen).toContain("CHANGED");
    expect(seen).not.toContain("two");
  });

  test("without the last summarized one, all that is left counts again", async () => {
    const seen = await edit((messages) => [gone(messages[4])], "q");
    expect(seen.join()).not.toContain(
      "SUMMARY-TEXT\n\nThe earlier messages are in /conversation_history/t1/x",
    );
    expect(seen.at(-1)).toBe("q");
  });
});

describe("H19, H23: what fails", () => {
  test("a model that fails after the summary finds it done, in another process's agent too", async () => {
    let down = true;
    const { build, summarizer, backend, turns } = setup(six, (messages) =>
      messages.some(({ text }) => text === "four") && down ? new Error("down") : "answer",
    );
    await turns("t1", "one", "two", "three");
    const failing = build();
    for (let attempt = 0; attempt < 3; attempt++) {
      const input = attempt === 0 ? say("four") : null;
      await expect(failing.invoke(input as never, inThread("t1"))).rejects.toThrow("down");
    }
    down = false;
    const { messages } = await build().invoke(null as never, inThread("t1"));
    expect(messages.at(-1)?.text).toBe("answer");
    expect(summarizer.received).toHaveLength(1);
    expect(headings(await history(backend, "t1"))).toHaveLength(5);
  });

  test.each([
    ["throws", () => new Error("down")],
    ["answers nothing", () => "  "],
    ["hangs", () => new Promise<string>(() => {})],
  ] as Array<[string, Policy]>)(
    "a summarizer that %s: the agent goes on with everything",
    async (_how, policy) => {
      const { model, errors, turns } = setup({
        ...six,
        model: new ScriptedModel(policy),
        timeoutMs: 50,
      });
      await turns("t1", "one", "two", "three", "four");
      expect(sent(model)).toEqual([
        "one",
        "answer 2",
        "two",
        "answer 4",
        "three",
        "answer 6",
        "four",
      ]);
      expect(errors.map(([, where]) => where)).toEqual(["summary"]);
    },
  );

  test("a summarizer that cannot be loaded: the agent goes on, and loading is tried again", async () => {
    const { model, errors, turns } = setup({ ...six, model: "nothing:of-this-name" });
    await turns("t1", "one", "two", "three", "four", "five");
    expect(sent(model).at(-1)).toBe("five");
    expect(errors.map(([, where]) => where)).toEqual(["summary", "summary"]);
  });

  test("at the hard limit a mechanical summary stands in, never the error", async () => {
    const { model, turns } = setup(
      {
        model: new ScriptedModel(() => new Error("secret failure")),
        trigger: { type: "fraction", value: 0.5 },
      },
      () => reporting("ok", { input_tokens: 990, output_tokens: 5, total_tokens: 995 }),
      {},
    );
    Object.defineProperty(model, "profile", { value: { maxInputTokens: 1000 } });
    await turns("t1", "write /plan.md", "two", "three");
    expect(sent(model)[0]).toMatch(/No summary could be written[\s\S]*human: write \/plan\.md/);
    expect(sent(model).join()).not.toContain("secret failure");
  });

  test("history that cannot be saved: nothing is summarized below the hard limit", async () => {
    const denied = withPermissions(new MemoryBackend(), [
      { operations: ["write"], paths: ["/conversation_history/**"], mode: "deny" },
    ]);
    const { model, summarizer, errors, turns } = setup(six, undefined, { backend: denied });
    await turns("t1", "one", "two", "three", "four");
    expect(summarizer.received).toHaveLength(0);
    expect(sent(model)).toHaveLength(7);
    expect(errors.map(([, where]) => where)).toContain("history");
  });
});

describe("H24, H26", () => {
  test("an overflow that the provider reports: one summary and one more call", async () => {
    let refused = 0;
    const { model, summarizer, turns } = setup({}, (messages) =>
      messages.length > 5 && refused++ === 0 ? new ContextOverflowError("too long") : "ok",
    );
    Object.defineProperty(model, "profile", { value: { maxInputTokens: 100 } });
    const none = {
      trigger: { type: "tokens" as const, value: 1e6 },
      keep: { type: "messages" as const, value: 2 },
    };
    const {
      model: other,
      summarizer: writer,
      turns: go,
    } = setup(none, (messages) =>
      messages.length > 5 && refused++ === 0 ? new ContextOverflowError("too long") : "ok",
    );
    await go("t1", "one", "two", "three");
    expect(writer.received).toHaveLength(1);
    expect(sent(other)[0]).toContain("SUMMARY-TEXT");
    await go("t1", "four");
    expect(writer.received).toHaveLength(1);
    expect([summarizer.received.length, typeof turns]).toEqual([0, "function"]);
  });

  test("a structured response survives a turn that summarizes", async () => {
    const format = toolStrategy(z.object({ done: z.boolean() }));
    const name = (format as unknown as Array<{ name: string }>)[0]?.name ?? "";
    const { agent, summarizer, turns } = setup(six, () => [{ name, args: { done: true } }], {
      responseFormat: format,
    });
    await turns("t1", "one", "two");
    const result = (await agent.invoke(say("three"), inThread("t1"))) as {
      structuredResponse?: unknown;
    };
    expect(summarizer.received.length).toBeGreaterThan(0);
    expect(result.structuredResponse).toEqual({ done: true });
  });
});

describe("H17, H18: sizes and long arguments", () => {
  test("the provider's own usage decides, and estimates only what came after it", async () => {
    const { model, summarizer, turns } = setup(
      { trigger: { type: "tokens", value: 5000 }, keep: { type: "messages", value: 2 } },
      () => reporting("ok", { input_tokens: 4000, output_tokens: 10, total_tokens: 4010 }),
    );
    await turns("t1", "one", "two");
    expect(summarizer.received).toHaveLength(0);
    await turns("t1", "x ".repeat(3000));
    expect(summarizer.received).toHaveLength(1);
    expect(model.received).toHaveLength(3);
  });

  test("without usage the prompt and the tools of the last call are counted too", async () => {
    const described = (description: string) =>
      tool(() => "x", { name: "look", description, schema: z.object({ at: z.string() }) });
    const trigger = { type: "tokens", value: 20_000 } as const;
    const keep = { type: "messages", value: 2 } as const;
    for (const [more, summaries] of [
      [{}, 0],
      [{ systemPrompt: "word ".repeat(20_000) }, 1],
      [{ tools: [described("word ".repeat(20_000))] }, 1],
      [{ tools: [{ type: "own", of: "word ".repeat(20_000) }] }, 1],
    ] as const) {
      const { summarizer, turns } = setup({ trigger, keep }, undefined, more);
      await turns("t1", "one", "two");
      expect([Object.keys(more), summarizer.received.length]).toEqual([
        Object.keys(more),
        summaries,
      ]);
    }
  });

  test("old writes point to their file in calls, blocks and kwargs; the state keeps them", async () => {
    const long = "long ".repeat(2000);
    const writing = new AIMessage({
      content: [
        { type: "text", text: "Writing." },
        {
          type: "tool_use",
          id: "w1",
          name: "write_file",
          input: { file_path: "/a.md", content: long },
        },
      ],
      tool_calls: [
        {
          id: "w1",
          name: "write_file",
          args: { file_path: "/a.md", content: long },
          type: "tool_call",
        },
      ],
      additional_kwargs: {
        tool_calls: [
          {
            id: "w1",
            type: "function",
            function: {
              name: "write_file",
              arguments: JSON.stringify({ file_path: "/a.md", content: long }),
            },
          },
        ],
      },
    });
    const { agent, model, summarizer, turns } = setup(
      { trigger: { type: "tokens", value: 3000 }, keep: { type: "messages", value: 2 } },
      [writing, "a", "b", "c"],
    );
    await turns("t1", "one", "two", "three");
    expect(summarizer.received).toHaveLength(0);
    const last = JSON.stringify(model.received.at(-1));
    expect(last).not.toContain("long long");
    expect(last.match(/\(10000 characters, saved in \/a\.md\)/g)).toHaveLength(3);
    const messages = await messagesOf(agent, "t1");
    expect(JSON.stringify(messages)).toContain("long long");
  });
});

test("H21: a subagent has a history of its own", async () => {
  const looking: Reply[] = Array.from({ length: 6 }, () => [{ name: "ls", args: {} }]);
  const child = new ScriptedModel([...looking, "report"]);
  const { backend, turns } = setup(six, [[task("worker")], "done"], {
    subagents: [{ name: "worker", description: "Works.", model: child }],
  });
  await turns("t1", "go");
  const { files = [] } = await backend.glob("**/*", "/conversation_history");
  expect(files.map(({ path }) => path)).toEqual([
    expect.stringMatching(/^\/conversation_history\/t1\/worker-[0-9a-f]{12}\.md$/),
  ]);
});
