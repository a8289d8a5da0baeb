import { createDeepAgent } from "@fs/agent";
import { createFilesystemMiddleware } from "@fs/middleware";
import { MemoryBackend } from "@fs/protocol";
import { filesValue, StateBackend } from "@fs/state";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph";
import {
  createDeepAgent as createPeerAgent,
  createFilesystemMiddleware as createPeerMiddleware,
  StateBackend as PeerStateBackend,
} from "deepagents";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { compare, type Counter } from "./measure.js";
import { contentOf, pathOf } from "./operations.js";
import type { Results, Row } from "./results.js";

/** Asks for one call of a tool after each message of a person, then says that it is done. */
class OneCall extends BaseChatModel {
  readonly #name: string;
  readonly #args: () => Record<string, unknown>;
  #calls = 0;

  constructor(name: string, args: () => Record<string, unknown>) {
    super({});
    this.#name = name;
    this.#args = args;
  }

  override _llmType(): string {
    return "one-call";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]) {
    const asked = messages.at(-1)?.getType() === "human";
    const id = `call${++this.#calls}`;
    const call = { type: "tool_call" as const, id, name: this.#name, args: this.#args() };
    const message = new AIMessage(asked ? { content: "", tool_calls: [call] } : "done");
    return { generations: [{ text: message.text, message }] };
  }
}

/** Counts what a checkpointer loads and serialises. */
class CountingSaver extends MemorySaver implements Counter {
  #loads = 0;
  #bytes = 0;

  constructor() {
    super();
    const dump = this.serde.dumpsTyped.bind(this.serde);
    this.serde.dumpsTyped = async (value: unknown) => {
      const dumped = await dump(value);
      this.#bytes += dumped[1].length;
      return dumped;
    };
  }

  override async getTuple(...given: Parameters<MemorySaver["getTuple"]>) {
    this.#loads++;
    return super.getTuple(...given);
  }

  take() {
    const taken = { "checkpoint loads": this.#loads, "KB stored": Math.round(this.#bytes / 1000) };
    this.#loads = 0;
    this.#bytes = 0;
    return taken;
  }
}

interface Invokable {
  invoke(input: { messages: unknown[] }, config: object): Promise<unknown>;
}

const say = (agent: unknown) => () =>
  (agent as Invokable).invoke({ messages: [{ role: "user", content: "go" }] }, THREAD);
const THREAD = { configurable: { thread_id: "1" }, recursionLimit: 60 };
const TEXT = contentOf(1);

/** A turn in which the agent reads one file, through the tools of either side, and of a tool of one's own. */
async function turnsWithRead(rounds: number): Promise<Row> {
  const args = () => ({ file_path: "/a.md" });
  const files = new MemoryBackend();
  await files.write("/a.md", TEXT);
  const map = new Map([["/a.md", TEXT]]);
  const readFile = tool(({ file_path }: { file_path: string }) => map.get(file_path) ?? "", {
    name: "read_file",
    description: "Reads a file.",
    schema: z.object({ file_path: z.string() }),
  });
  const model = () => new OneCall("read_file", args);
  return compare({
    operation: "a turn that reads a file",
    files: 1,
    rounds,
    clock: "cpu",
    sides: {
      limit: say(createAgent({ model: model(), tools: [readFile] })),
      ours: say(
        createAgent({
          model: model(),
          middleware: [createFilesystemMiddleware({ backend: files })],
        }),
      ),
      peer: say(
        createAgent({
          model: model(),
          middleware: [createPeerMiddleware({ backend: files as never })] as never,
        }),
      ),
    },
  });
}

/** A turn without files, of the whole agent, after so many turns of the thread. */
async function turnsOfAge(age: number, rounds: number): Promise<Row> {
  const look = tool(() => "ok", { name: "look", description: "Looks.", schema: z.object({}) });
  const savers = {
    limit: new CountingSaver(),
    ours: new CountingSaver(),
    peer: new CountingSaver(),
  };
  const params = (checkpointer: CountingSaver) => ({
    model: new OneCall("look", () => ({})),
    tools: [look],
    checkpointer,
  });
  const sides = {
    limit: say(createAgent(params(savers.limit))),
    ours: say(createDeepAgent(params(savers.ours))),
    peer: say(createPeerAgent(params(savers.peer) as never)),
  };
  for (let turn = 0; turn < age; turn++) for (const side of Object.values(sides)) await side();
  return compare({
    operation: `a turn without files, of a thread of ${age} turns`,
    files: 0,
    rounds,
    clock: "cpu",
    sides,
    counters: savers,
  });
}

/** A turn of a graph that writes one file of 1 KB where there are so many. */
async function turnsWithWrite(files: number, rounds: number): Promise<Row> {
  const savers = { ours: new CountingSaver(), peer: new CountingSaver() };
  const times = { created_at: "2026-01-01T00:00:00.000Z", modified_at: "2026-01-01T00:00:00.000Z" };
  const seed = Object.fromEntries(
    Array.from({ length: files }, (_, file) => [
      pathOf(file),
      { content: contentOf(file), mimeType: "text/plain", ...times },
    ]),
  );
  const peerSchema = createPeerMiddleware().stateSchema as unknown as {
    fields: { files: ReturnType<typeof filesValue> };
  };
  const turn = async (
    backend: { write(path: string, text: string): unknown },
    field: ReturnType<typeof filesValue>,
    checkpointer: CountingSaver,
  ) => {
    let written = 0;
    const graph = new StateGraph(new StateSchema({ files: field }))
      .addNode("work", async () => {
        if (written > 0) await backend.write(`/new/${written}.md`, TEXT);
        written++;
        return {};
      })
      .addEdge(START, "work")
      .compile({ checkpointer });
    await graph.invoke({ files: seed }, THREAD);
    return () => graph.invoke({ files: {} }, THREAD);
  };
  return compare({
    operation: "a turn of a graph that writes a file",
    files,
    rounds,
    clock: "cpu",
    sides: {
      ours: await turn(new StateBackend(), filesValue(), savers.ours),
      peer: await turn(new PeerStateBackend(), peerSchema.fields.files, savers.peer),
    },
    counters: savers,
  });
}

type Measured = Pick<Results, "suite" | "title" | "sides" | "clock" | "rows">;

/** The middleware and the agent. */
export async function agentSuite(rounds: number): Promise<Measured> {
  const rows = [await turnsWithRead(rounds)];
  for (const age of [5, 40]) rows.push(await turnsOfAge(age, rounds));
  return {
    suite: "agent",
    clock: "cpu",
    title: "Middleware and agent",
    sides: {
      ours: "@fs/middleware, @fs/agent",
      peer: "deepagents",
      limit: "createAgent with a tool of one's own",
    },
    rows,
  };
}

/** Files in the state of a graph. */
export async function stateSuite(sizes: readonly number[], rounds: number): Promise<Measured> {
  const rows: Row[] = [];
  for (const files of sizes.filter((size) => size <= 10_000))
    rows.push(await turnsWithWrite(files, Math.min(rounds, 5)));
  return {
    suite: "state",
    clock: "cpu",
    title: "LangGraph state",
    sides: { ours: "StateBackend of @fs/state", peer: "StateBackend of deepagents" },
    rows,
  };
}
