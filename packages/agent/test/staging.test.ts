import { createDeepAgent } from "@fs/agent";
import type { StagingInterrupt } from "@fs/middleware";
import { type AnyBackendProtocol, MemoryBackend } from "@fs/protocol";
import { type BaseMessage } from "@langchain/core/messages";
import { type BaseCheckpointSaver, Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { inThread, questions, say } from "./support/results.js";
import { edit, type Reply, ScriptedModel, task, write } from "./support/scripted-model.js";

interface Parts {
  readonly backend: AnyBackendProtocol;
  readonly upper: MemoryBackend;
  readonly checkpointer: BaseCheckpointSaver;
}

/** An agent that changes one file, lets a subagent write another, and says when it is ready; each turn it is asked anew. */
function agentOver({ backend, upper, checkpointer }: Parts, more: object = {}) {
  const lead = (messages: readonly BaseMessage[]): Reply => {
    const last = messages.at(-1);
    const asked = messages.filter((message) => message.getType() === "human").at(-1)?.text ?? "";
    if (last?.getType() === "tool") return "Ready.";
    return asked.startsWith("change")
      ? [edit("/docs/guide.md", "npm i", "npm install"), task("writer")]
      : asked.includes("British")
        ? [edit("/src/greet.ts", '"Hello"', '"Good day"')]
        : "Fine.";
  };
  const writer = (messages: readonly BaseMessage[]): Reply =>
    messages.at(-1)?.getType() === "tool"
      ? "written"
      : [edit("/src/greet.ts", '"Hi"', '"Hello"'), write("/docs/faq.md", "# FAQ\n")];
  return createDeepAgent({
    model: new ScriptedModel(lead),
    backend,
    checkpointer,
    filesystem: { staging: { approve: true, upper }, readBeforeEdit: false },
    subagents: [
      {
        name: "writer",
        description: "Writes.",
        systemPrompt: "Write.",
        model: new ScriptedModel(writer),
      },
    ],
    ...more,
  });
}

async function world() {
  const backend = new MemoryBackend();
  await backend.write("/docs/guide.md", "Run npm i first.\n");
  await backend.write("/src/greet.ts", 'export const greeting = "Hi";\n');
  const parts = { backend, upper: new MemoryBackend(), checkpointer: new MemorySaver() };
  const text = async (path: string): Promise<unknown> => (await backend.read(path)).content;
  const question = (result: unknown): StagingInterrupt | undefined =>
    questions(result)[0]?.value as StagingInterrupt | undefined;
  const paused = await agentOver(parts).invoke(say("change the files"), inThread("1"));
  /** Each answer goes to an agent that is built anew, as in another process. */
  const resume = async (answer: unknown) =>
    agentOver(parts).invoke(new Command({ resume: answer }), inThread("1"));
  return { ...parts, text, question, paused, resume };
}

const words = (messages: readonly BaseMessage[]): string =>
  messages.map((message) => message.text).join("\n");

describe("an agent whose changes wait for approval", () => {
  test("asks once, with the patch of its own changes and of its subagents'", async () => {
    const { paused, question, text } = await world();
    expect(questions(paused)).toHaveLength(1);
    const { type, changes, patch } = question(paused) ?? {};
    expect(type).toBe("filesystem_staging");
    expect(changes).toEqual(["A /docs/faq.md", "M /docs/guide.md", "M /src/greet.ts"]);
    expect(patch).toContain("-Run npm i first.\n+Run npm install first.\n");
    expect(await text("/docs/guide.md")).toBe("Run npm i first.\n");
    expect(await text("/docs/faq.md")).toBeUndefined();
  });

  test("commits the whole", async () => {
    const { paused, question, text, resume } = await world();
    const done = await resume({ type: "approve", digest: question(paused)?.digest });
    expect(questions(done)).toEqual([]);
    expect(await text("/docs/guide.md")).toBe("Run npm install first.\n");
    expect(await text("/docs/faq.md")).toBe("# FAQ\n");
    expect(await text("/src/greet.ts")).toContain('"Hello"');
  });

  test("commits what a glob names, and asks for the rest at the end of the next turn", async () => {
    const parts = await world();
    const { text, resume, question } = parts;
    expect(questions(await resume({ type: "approve", only: "/docs/**" }))).toEqual([]);
    expect(await text("/docs/faq.md")).toBe("# FAQ\n");
    expect(await text("/src/greet.ts")).toContain('"Hi"');
    const next = await agentOver(parts).invoke(say("anything else?"), inThread("1"));
    expect(question(next)?.changes).toEqual(["M /src/greet.ts"]);
  });

  test("goes on with a comment, changes what was asked for, and asks again", async () => {
    const { text, resume, question } = await world();
    const again = await resume({ type: "reject", comment: "Please be British." });
    expect(words(again.messages)).toContain("The comment: Please be British.");
    expect(question(again)?.patch).toContain('+export const greeting = "Good day";');
    expect(await text("/src/greet.ts")).toContain('"Hi"');
    await resume("approve");
    expect(await text("/src/greet.ts")).toContain('"Good day"');
  });

  test("drops what is rejected", async () => {
    const { text, resume, upper } = await world();
    expect(questions(await resume({ type: "reject" }))).toEqual([]);
    expect(await text("/docs/guide.md")).toBe("Run npm i first.\n");
    expect((await upper.glob("/entries/**")).files).toEqual([]);
  });

  test("reports which approved file someone else has changed meanwhile, and commits the others", async () => {
    const { backend, text, resume } = await world();
    await backend.edit("/src/greet.ts", '"Hi"', '"Hey"');
    const done = await resume({ type: "approve" });
    expect(words(done.messages)).toContain("- /src/greet.ts: ");
    expect(await text("/src/greet.ts")).toContain('"Hey"');
    expect(await text("/docs/guide.md")).toBe("Run npm install first.\n");
  });
});
