import {
  createFilesystemMiddleware,
  type StagingInterrupt,
  type StagingSettings,
} from "@fs/middleware";
import { type AnyBackendProtocol, ConfigurationError, failure, MemoryBackend } from "@fs/protocol";
import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { ScriptedModel, type Call, type Step } from "./support/scripted-model.js";

const edit = (path: string, from: string, to: string): Call => ({
  name: "edit_file",
  args: { file_path: path, old_string: from, new_string: to },
});
const look = (name: string): Call => ({ name, args: {} });

interface Paused {
  readonly messages: readonly BaseMessage[];
  readonly question: StagingInterrupt | undefined;
}

/** A real agent over a backend with two files, whose model makes each step in turn. */
async function world(steps: readonly Step[], staging: StagingSettings = { approve: true }) {
  const backend = new MemoryBackend();
  await backend.write("/docs/a.md", "one\n");
  await backend.write("/src/b.ts", "one\n");
  const agent = agentOver(backend, steps, staging);
  return { backend, ...agent };
}

function agentOver(
  backend: AnyBackendProtocol,
  steps: readonly Step[],
  staging: StagingSettings,
  checkpointer = new MemorySaver(),
) {
  const model = new ScriptedModel(steps);
  const agent = createAgent({
    model,
    checkpointer,
    middleware: [createFilesystemMiddleware({ backend, staging, readBeforeEdit: false })],
  });
  const invoke = async (input: unknown, thread: string): Promise<Paused> => {
    const config = { configurable: { thread_id: thread } };
    const result = await agent.invoke(input as never, config);
    const { tasks } = await agent.graph.getState(config);
    const [pause] = tasks.flatMap(({ interrupts }) => interrupts);
    return { messages: result.messages, question: pause?.value as StagingInterrupt | undefined };
  };
  return {
    model,
    start: (thread = "t") => invoke({ messages: [{ role: "user", content: "go" }] }, thread),
    resume: (answer: unknown, thread = "t") => invoke(new Command({ resume: answer }), thread),
  };
}

const bothEdits: Step[] = [
  () => [edit("/docs/a.md", "one", "two"), edit("/src/b.ts", "one", "two")],
  () => [look("changes"), look("diff")],
  () => "ready",
];
const text = async (backend: MemoryBackend, path: string): Promise<unknown> =>
  (await backend.read(path)).content;

describe("staged changes of an agent", () => {
  it("are shown to it, wait for a person with the patch, and are committed when approved", async () => {
    const { backend, start, resume } = await world(bothEdits);
    const { messages, question } = await start();
    const results = messages.filter((message) => ToolMessage.isInstance(message));
    expect(results[2]?.text).toBe("M /docs/a.md\nM /src/b.ts");
    expect(results[3]?.text).toContain("-one\n+two\n");
    expect(question).toMatchObject({
      type: "filesystem_staging",
      changes: ["M /docs/a.md", "M /src/b.ts"],
      patch: results[3]?.text,
    });
    expect(await text(backend, "/docs/a.md")).toBe("one\n");
    expect((await resume({ type: "approve", digest: question?.digest })).question).toBeUndefined();
    expect(await text(backend, "/docs/a.md")).toBe("two\n");
    expect(await text(backend, "/src/b.ts")).toBe("two\n");
  });

  it.each([
    ["approve", /no longer staged.*committed nothing/],
    [{ type: "approve", only: "/docs/**" }, /no longer staged/],
    [{ type: "reject", comment: "Write 'three'." }, /no longer staged[\s\S]*Write 'three'/],
    [{ type: "reject" }, undefined],
  ] as const)(
    "that a restart has lost are not committed by %j, and that is said",
    async (answer, note) => {
      const backend = new MemoryBackend();
      await backend.write("/docs/a.md", "one\n");
      await backend.write("/src/b.ts", "one\n");
      const checkpointer = new MemorySaver();
      await agentOver(backend, bothEdits, { approve: true }, checkpointer).start();
      const { resume, model } = agentOver(
        backend,
        [() => "I see"],
        { approve: true },
        checkpointer,
      );
      const { question, messages } = await resume(answer);
      expect(question).toBeUndefined();
      expect(await text(backend, "/docs/a.md")).toBe("one\n");
      const notes = messages.filter((one) => HumanMessage.isInstance(one)).slice(1);
      expect(notes).toHaveLength(note === undefined ? 0 : 1);
      if (note !== undefined) expect(notes[0]?.text).toMatch(note);
      expect(model.received).toHaveLength(notes.length);
    },
  );

  it("are not taken for lost where there was no answer, or an answer to something else", async () => {
    const ask = createMiddleware({
      name: "ask",
      beforeAgent: () => {
        interrupt("Go on?");
        return undefined;
      },
    });
    const model = new ScriptedModel([() => "Fine."]);
    const filesystem = createFilesystemMiddleware({
      backend: new MemoryBackend(),
      staging: { approve: true },
    });
    const agent = createAgent({
      model,
      checkpointer: new MemorySaver(),
      middleware: [ask, filesystem],
    });
    const config = { configurable: { thread_id: "t" } };
    await agent.invoke({ messages: [{ role: "user", content: "go" }] }, config);
    const { messages } = await agent.invoke(new Command({ resume: "approve" }), config);
    expect(messages.map((message) => message.text)).toEqual(["go", "Fine."]);
    const alone = createAgent({
      model: new ScriptedModel([() => "Fine."]),
      middleware: [filesystem],
    });
    const result = await alone.invoke({ messages: [{ role: "user", content: "go" }] });
    expect(result.messages.at(-1)?.text).toBe("Fine.");
  });

  it("are approved in part; the rest waits for the end of the next turn", async () => {
    const { backend, start, resume } = await world([...bothEdits, () => "nothing new"]);
    await start();
    expect((await resume({ type: "approve", only: "/docs/**" })).question).toBeUndefined();
    expect(await text(backend, "/docs/a.md")).toBe("two\n");
    expect(await text(backend, "/src/b.ts")).toBe("one\n");
    expect((await start()).question?.changes).toEqual(["M /src/b.ts"]);
    await resume({ decisions: [{ type: "reject" }] });
    expect(await text(backend, "/src/b.ts")).toBe("one\n");
    expect((await start()).question).toBeUndefined();
  });

  it("are rejected with a comment that the agent works on", async () => {
    const { backend, model, start, resume } = await world([
      ...bothEdits,
      () => [edit("/docs/a.md", "two", "three")],
      () => "better",
    ]);
    await start();
    const again = await resume({ type: "reject", comment: "Write 'three'." });
    expect(model.received.at(-2)?.findLast((one) => HumanMessage.isInstance(one))?.text).toContain(
      "Write 'three'.",
    );
    expect(again.question?.patch).toContain("+three\n");
    await resume({ type: "approve" });
    expect(await text(backend, "/docs/a.md")).toBe("three\n");
  });

  it("are not committed over what a colleague changed, and the agent is informed", async () => {
    const { backend, model, start, resume } = await world([...bothEdits, () => "I see"]);
    await start();
    await backend.edit("/src/b.ts", "one", "theirs");
    const after = await resume(true);
    expect(await text(backend, "/docs/a.md")).toBe("two\n");
    expect(await text(backend, "/src/b.ts")).toBe("theirs\n");
    expect(model.received.at(-1)?.at(-1)?.text).toContain("/src/b.ts");
    expect(after.question?.changes).toEqual(["M /src/b.ts"]);
  });

  it("stay staged where they were approved and could not be committed, while the rest is rejected", async () => {
    const odd = "/src/[a]{b}*?\\.ts";
    const { backend, model, start, resume } = await world([
      () => [
        ...["one.md", "two.md"].map((name) => edit(`/docs/${name}`, "one", "two")),
        edit("/src/b.ts", "one", "two"),
        { name: "write_file", args: { file_path: odd, content: "odd" } },
      ],
      () => "ready",
      () => "I see",
    ]);
    for (const name of ["one.md", "two.md"]) await backend.write(`/docs/${name}`, "one\n");
    expect((await start()).question?.changes).toHaveLength(4);
    await backend.edit("/docs/one.md", "one", "theirs");
    const after = await resume({
      decisions: [{ type: "approve", only: "/docs/**" }, { type: "reject" }],
    });
    expect(model.received.at(-1)?.at(-1)?.text).toContain("- /docs/one.md");
    expect(after.question?.changes).toEqual(["M /docs/one.md"]);
    expect(await text(backend, "/docs/two.md")).toBe("two\n");
    expect(await text(backend, "/src/b.ts")).toBe("one\n");
  });

  it("stay staged where a commit fails as a whole, though the rest is rejected", async () => {
    const upper = new MemoryBackend();
    const { backend } = await world([]);
    const { StagingBackend } = await import("@fs/staging");
    const agent = agentOver(backend, [...bothEdits, () => "I see"], { approve: true, upper });
    await agent.start();
    const { commit } = StagingBackend.prototype;
    StagingBackend.prototype.commit = async () => failure("conflict", "/", "Another commits.");
    try {
      const after = await agent.resume({
        decisions: [{ type: "approve", only: "/docs/**" }, { type: "reject" }],
      });
      expect(after.question?.changes).toEqual(["M /docs/a.md"]);
    } finally {
      StagingBackend.prototype.commit = commit;
    }
  });

  it.each([
    [{ type: "aprove" }],
    [{ decisions: [{ type: "approve" }], only: "/docs/**" }],
    [{ type: "reject", decisions: [{ type: "approve" }] }],
    [{ type: "approve", onyl: "/docs/**" }],
    [{ type: "approve", only: "" }],
    [{ type: "approve", only: ["/docs/**", "["] }],
    [{ decisions: [] }],
    [{ decisions: [{ type: "reject" }, { type: "approve", only: 1 }] }],
    [{ type: "approve", digest: "of others" }],
    ["yes"],
  ])("stay as they are on the answer %j, and the question is asked again", async (answer) => {
    const { backend, start, resume } = await world(bothEdits);
    await start();
    const again = await resume(answer);
    expect(again.question?.problem).toMatch(/\S/);
    expect(again.question?.changes).toEqual(["M /docs/a.md", "M /src/b.ts"]);
    expect(await text(backend, "/docs/a.md")).toBe("one\n");
    expect(await text(backend, "/src/b.ts")).toBe("one\n");
    await resume("approve");
    expect(await text(backend, "/src/b.ts")).toBe("two\n");
  });

  it("of one thread are not seen, and not approved, in another", async () => {
    const { backend, start, resume } = await world([
      () => [edit("/docs/a.md", "one", "mine")],
      () => "ready",
      () => [edit("/src/b.ts", "one", "yours")],
      () => "ready",
    ]);
    await start("1");
    expect((await start("2")).question?.changes).toEqual(["M /src/b.ts"]);
    await resume("approve", "2");
    expect(await text(backend, "/docs/a.md")).toBe("one\n");
    await resume("approve", "1");
    expect(await text(backend, "/docs/a.md")).toBe("mine\n");
  });

  it("wait in the given layer where nothing asks, for a program in another process", async () => {
    const upper = new MemoryBackend();
    const { backend, start } = await world(bothEdits, { upper });
    expect((await start()).question).toBeUndefined();
    const { StagingBackend } = await import("@fs/staging");
    expect((await new StagingBackend(backend, { upper }).commit()).complete).toBe(true);
    expect(await text(backend, "/docs/a.md")).toBe("two\n");
  });
});

it.each<[unknown, typeof ConfigurationError | typeof TypeError]>([
  [{ approve: "yes" }, TypeError],
  [{ aprove: true }, TypeError],
  [true, TypeError],
  [{ approve: true, strategy: "ours" }, TypeError],
  [{ approve: true, upper: "memory" }, TypeError],
  [{}, ConfigurationError],
  [{ approve: false }, ConfigurationError],
])("refuses the staging %j", (staging, error) => {
  expect(() => createFilesystemMiddleware({ staging: staging as never })).toThrow(error);
});

it("offers no command that would not see staged files", () => {
  expect(() =>
    createFilesystemMiddleware({ staging: { approve: true }, tools: ["execute"] }),
  ).toThrow(ConfigurationError);
});
