import { filesSchema, filesValue, sharedFiles, StateBackend } from "@fs/state";
import {
  Command,
  INTERRUPT,
  isInterrupted,
  MemorySaver,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import {
  delegatingGraph,
  expectedLines,
  linesOf,
  SHARED_PATH,
  type Observed,
} from "./shared-graph.js";

const thread = { configurable: { thread_id: "1" } };

function observed(): Observed {
  return { acknowledged: [], runs: new Map() };
}

function interruptsOf(state: unknown): Array<{ id: string; value: unknown }> {
  if (!isInterrupted(state)) return [];
  return state[INTERRUPT].map(({ id, value }) => ({ id: id ?? "", value }));
}

describe.each([8, 20])("%i subagents on one file of their caller", (count) => {
  test("lose nothing", async () => {
    const seen = observed();
    const graph = delegatingGraph({
      checkpointer: new MemorySaver(),
      count,
      asks: () => false,
      observed: seen,
    });
    const { files } = await graph.invoke({}, thread);
    expect(linesOf(files[SHARED_PATH]?.content)).toEqual(expectedLines(count));
    expect(seen.acknowledged.toSorted()).toEqual(expectedLines(count));
    expect((await graph.getState(thread)).values.files).toEqual(files);
  });

  test.each(["together", "one by one"])("lose nothing to interrupts answered %s", async (how) => {
    const seen = observed();
    const checkpointer = new MemorySaver();
    const build = () =>
      delegatingGraph({
        checkpointer,
        count,
        asks: (name) => ["s0", "s2", "s3", "s7"].includes(name),
        observed: seen,
      });
    let state = await build().invoke({}, thread);
    for (let asked = interruptsOf(state); asked.length > 0; asked = interruptsOf(state)) {
      const answered = how === "together" ? asked : asked.slice(0, 1);
      const resume = Object.fromEntries(answered.map(({ id }) => [id, "go on"]));
      state = await build().invoke(new Command({ resume }), thread);
    }
    expect(linesOf(state.files[SHARED_PATH]?.content)).toEqual(expectedLines(count));
    expect(seen.acknowledged.toSorted()).toEqual(expectedLines(count));
    expect([...seen.runs.values()].every((runs) => runs === 1)).toBe(true);
    expect((await build().getState(thread)).values.files).toEqual(state.files);
  });
});

test("a subagent's change that the checkpointer does not note may have happened, and that is said", async () => {
  class Failing extends MemorySaver {
    failures = 1;
    override async putWrites(...parameters: Parameters<MemorySaver["putWrites"]>) {
      const journal = parameters[1].some(([channel]) => channel.startsWith("__fs_"));
      if (journal && this.failures-- > 0) throw new Error("no connection to db.example");
      return super.putWrites(...parameters);
    }
  }
  const files = new StateBackend();
  const seen: unknown[] = [];
  const inner = new StateGraph(filesSchema)
    .addNode("work", async () => {
      seen.push(await files.write("/a.txt", "a"), (await files.read("/a.txt")).content);
      seen.push(await files.edit("/a.txt", "a", "b"));
      return {};
    })
    .addEdge(START, "work")
    .compile();
  const graph = new StateGraph(new StateSchema({ files: filesValue() }))
    .addNode("call", async () => {
      await inner.invoke({}, { configurable: sharedFiles() });
      return {};
    })
    .addEdge(START, "call")
    .compile({ checkpointer: new Failing() });
  const state = await graph.invoke({}, thread);
  expect(seen).toMatchObject([
    { code: "unavailable", error: expect.stringContaining("may have happened") as string },
    "a",
    { occurrences: 1 },
  ]);
  expect(state.files["/a.txt"]?.content).toBe("b");
});
