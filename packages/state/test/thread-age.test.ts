import {
  MemorySaver,
  START,
  StateGraph,
  StateSchema,
  type BaseCheckpointSaver,
} from "@langchain/langgraph";
import { BaseCheckpointSaver as CheckpointSaver } from "@langchain/langgraph-checkpoint";
import { filesSchema, filesValue, StateBackend, type FilesRecord } from "@fs/state";
import { AIMessage, createAgent, createMiddleware, fakeModel, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod/v4";
import { call } from "./agent-tools.js";

const thread = { configurable: { thread_id: "1" } };
const TURNS = 200;
/** For the many turns, on a busy machine. */
const timeout = 120_000;
const LINE = "lorem ipsum dolor sit amet, consectetur\n";

/** Counts the checkpoints that are parsed, by whichever method. */
class CountingSaver extends MemorySaver {
  loads = 0;

  constructor() {
    super();
    const load = this.serde.loadsTyped.bind(this.serde);
    this.serde.loadsTyped = async (type: string, data: Uint8Array | string) => {
      const value: unknown = await load(type, data);
      if (isCheckpoint(value)) this.loads++;
      return value;
    };
  }
}

/** As savers that have no walk of their own: every checkpoint back to the last snapshot is a load of its own. */
class WalkingSaver extends CountingSaver {
  override getDeltaChannelHistory(
    ...parameters: Parameters<MemorySaver["getDeltaChannelHistory"]>
  ): ReturnType<MemorySaver["getDeltaChannelHistory"]> {
    return CheckpointSaver.prototype.getDeltaChannelHistory.apply(this, parameters);
  }
}

function isCheckpoint(value: unknown): boolean {
  return typeof value === "object" && value !== null && "channel_versions" in value;
}

/** What each turn of a thread loads. */
async function loadsPerTurn(
  saver: CountingSaver,
  turn: (number: number) => Promise<unknown>,
): Promise<number[]> {
  const loads: number[] = [];
  for (let n = 0; n < TURNS; n++) {
    saver.loads = 0;
    await turn(n);
    loads.push(saver.loads);
  }
  return loads;
}

function plainGraph(checkpointer: BaseCheckpointSaver, work: (turn: number) => Promise<unknown>) {
  let turn = 0;
  const graph = new StateGraph(new StateSchema({ other: z.number(), files: filesValue() }))
    .addNode("work", async () => {
      await work(turn);
      return {};
    })
    .addNode("more", async () => ({ other: turn }))
    .addEdge(START, "work")
    .addEdge("work", "more")
    .compile({ checkpointer });
  return {
    graph,
    next: async (number: number, files: FilesRecord = {}) => {
      turn = number;
      const input = number === 0 ? { other: number, files } : { other: number };
      return graph.invoke(input, thread);
    },
  };
}

function seed(count: number): FilesRecord {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`/d/${n}.md`, { content: LINE.repeat(20) }]),
  );
}

describe.each([
  { name: "MemorySaver", open: () => new CountingSaver() },
  { name: "a saver without a walk of its own", open: () => new WalkingSaver() },
])("a thread of 200 turns over $name", { timeout }, ({ open }) => {
  test.each([
    { files: 0, writes: "in every turn", when: () => true },
    { files: 100, writes: "in its first turn only", when: (turn: number) => turn === 0 },
  ])("that starts with $files files and writes $writes", async ({ files, when }) => {
    const saver = open();
    const backend = new StateBackend();
    const { next, graph } = plainGraph(saver, async (turn) =>
      when(turn) ? backend.write(`/new/${turn % 50}-${turn}.md`, LINE) : undefined,
    );
    const loads = await loadsPerTurn(saver, (turn) => next(turn, seed(files)));
    expect(Math.max(...loads)).toBeLessThanOrEqual(40);
    const written = Array.from({ length: TURNS }, (_, turn) => turn).filter(when).length;
    const state = await graph.getState(thread);
    expect(Object.keys(state.values.files)).toHaveLength(files + written);
  });

  test("that writes no files loads what one without the field does", async () => {
    const [ours, plain] = [open(), open()];
    const without = new StateGraph(new StateSchema({ other: z.number() }))
      .addNode("work", async () => ({}))
      .addNode("more", async () => ({ other: 1 }))
      .addEdge(START, "work")
      .addEdge("work", "more")
      .compile({ checkpointer: plain });
    const { next } = plainGraph(ours, async () => undefined);
    expect(await loadsPerTurn(ours, (turn) => next(turn))).toEqual(
      await loadsPerTurn(plain, async (turn) => without.invoke({ other: turn }, thread)),
    );
  });
});

describe("a thread of createAgent", { timeout }, () => {
  const noop = tool(async () => "done", { name: "noop", description: "", schema: z.object({}) });
  const agentOver = (
    checkpointer: BaseCheckpointSaver,
    withFiles: boolean,
    backend?: StateBackend,
  ) => {
    const model = fakeModel();
    let turn = 0;
    const write = tool(
      async () => JSON.stringify(await backend?.write(`/${++turn}.md`, LINE.repeat(200))),
      { name: "write", description: "", schema: z.object({}) },
    );
    const agent = createAgent({
      model,
      tools: [noop, write],
      checkpointer,
      middleware: [
        withFiles
          ? createMiddleware({ name: "files", stateSchema: filesSchema })
          : createMiddleware({
              name: "other",
              stateSchema: z.object({ other: z.string().optional() }),
            }),
      ],
    });
    return async (name: "noop" | "write") => {
      // A scripted answer with tools repeats the whole talk as its text, which doubles with every turn.
      const asks = new AIMessage({ content: "", tool_calls: [call(name, {})] });
      model.respond(asks).respond(new AIMessage("done"));
      return agent.invoke({ messages: [{ role: "user", content: "go" }] }, thread);
    };
  };

  test("that writes no files loads what one without the field does", async () => {
    const [ours, plain] = [new WalkingSaver(), new WalkingSaver()];
    const turns = [agentOver(ours, true), agentOver(plain, false)] as const;
    const counts: number[][] = [];
    for (let n = 0; n < 20; n++) {
      ours.loads = 0;
      plain.loads = 0;
      await turns[0]("noop");
      await turns[1]("noop");
      counts.push([ours.loads, plain.loads]);
    }
    expect(counts.map(([own]) => own)).toEqual(counts.map(([, without]) => without));
  });

  test("that writes files loads 40 checkpoints in a turn at most", async () => {
    const saver = new WalkingSaver();
    const turn = agentOver(saver, true, new StateBackend());
    let most = 0;
    for (let n = 0; n < 15; n++) {
      saver.loads = 0;
      await turn(n % 10 < 7 ? "write" : "noop");
      most = Math.max(most, saver.loads);
    }
    expect(most).toBeLessThanOrEqual(40);
  });
});
