import { AIMessage } from "@langchain/core/messages";
import { tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { messagesOf } from "./support/results.js";
import { type Reply, reporting, ScriptedModel, task } from "./support/scripted-model.js";
import { setup, six } from "./support/summarizing.js";

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
