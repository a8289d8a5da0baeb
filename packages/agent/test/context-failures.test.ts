import { MemoryBackend, withPermissions } from "@fs/protocol";
import { ContextOverflowError } from "@langchain/core/errors";
import { toolStrategy } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inThread, say } from "./support/results.js";
import { type Policy, reporting, ScriptedModel } from "./support/scripted-model.js";
import { headings, history, sent, setup, six } from "./support/summarizing.js";

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
