import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { messagesOf, updateState } from "./support/results.js";
import { type Reply, ScriptedModel, write } from "./support/scripted-model.js";
import { headings, history, sent, setup, six } from "./support/summarizing.js";

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
