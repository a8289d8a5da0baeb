import { createDeepAgent } from "@fs/agent";
import { ConfigurationError, MemoryBackend } from "@fs/protocol";
import { MemorySaver } from "@langchain/langgraph";
import { tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inThread, results, say } from "./support/results.js";
import { ScriptedModel, write } from "./support/scripted-model.js";

const SMALL = {
  trigger: { type: "messages", value: 6 },
  keep: { type: "messages", value: 2 },
} as const;

test("a summary names no file whose write was refused", async () => {
  const model = new ScriptedModel([
    [write("/denied.md", "x"), write("/done.md", "x")],
    "a",
    "b",
    "c",
  ]);
  const agent = createDeepAgent({
    model,
    backend: new MemoryBackend(),
    todos: false,
    checkpointer: new MemorySaver(),
    permissions: [{ operations: ["write"], paths: ["/denied.md"], mode: "deny" }],
    summarization: { ...SMALL, model: new ScriptedModel(() => "SUMMARY") },
  });
  for (const text of ["one", "two", "three"]) await agent.invoke(say(text), inThread("t"));
  const summary = model.received.at(-1)?.[1]?.text ?? "";
  expect(summary).toContain("/done.md");
  expect(summary).not.toContain("/denied.md");
});

describe("a trigger in messages", () => {
  test.each([[{ maxInputTokens: 200_000 }], [{}]])(
    "fires now and then, whatever is kept by default, with %o",
    async (profile) => {
      const summarizer = new ScriptedModel(() => "SUMMARY");
      const agent = createDeepAgent({
        model: new ScriptedModel(() => "ok", profile),
        backend: new MemoryBackend(),
        todos: false,
        checkpointer: new MemorySaver(),
        summarization: { model: summarizer, trigger: { type: "messages", value: 6 } },
      });
      for (let turn = 0; turn < 20; turn++) await agent.invoke(say(`turn ${turn}`), inThread("t"));
      expect(summarizer.received.length).toBeGreaterThan(0);
      expect(summarizer.received.length).toBeLessThan(12);
    },
  );

  test("is at least one", () => {
    expect(() =>
      createDeepAgent({ model: new ScriptedModel([]), summarization: { trigger: [] } }),
    ).toThrow(ConfigurationError);
  });
});

test("a large result with a NUL in it is read and searched where it was saved", async () => {
  const list = tool(() => Array.from({ length: 20_000 }, (_, n) => `file-${n}`).join("\0"), {
    name: "list",
    description: "Lists.",
    schema: z.object({}),
  });
  const model = new ScriptedModel((messages) => {
    const answers = messages.filter((message) => message.getType() === "tool");
    const path = /saved to (\S+?)\.? Read/.exec(answers[0]?.text ?? "")?.[1];
    if (answers.length === 0) return [{ name: "list", args: {} }];
    if (answers.length > 1) return "done";
    return [
      { name: "read_file", args: { file_path: path } },
      { name: "grep", args: { pattern: "file-777", path } },
    ];
  });
  const { messages } = await createDeepAgent({
    model,
    backend: new MemoryBackend(),
    tools: [list],
  }).invoke(say("go"));
  expect(results(messages, "read_file")[0]?.text).toContain("file-0");
  expect(results(messages, "grep")[0]?.text).not.toContain("No matches");
});
