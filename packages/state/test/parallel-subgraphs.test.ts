import { MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { filesReducedValue, filesValue, StateBackend, type FilesRecord } from "@fs/state";
import { describe, expect, test } from "vitest";

const thread = { configurable: { thread_id: "1" } };
const WORDS = Array.from({ length: 90 }, (_, n) => `word${n};`);

/** Two compiled subgraphs and a plain node in one superstep, each with a third of the words to edit. */
function graphOf(field: typeof filesValue, work: (branch: number, step: number) => Promise<void>) {
  const schema = new StateSchema({ files: field() });
  const inner = (branch: number) =>
    new StateGraph(schema)
      .addNode("first", async () => {
        await work(branch, 0);
        return {};
      })
      .addNode("second", async () => {
        await work(branch, 1);
        return {};
      })
      .addEdge(START, "first")
      .addEdge("first", "second")
      .compile();
  return new StateGraph(schema)
    .addNode("a", inner(0))
    .addNode("b", inner(1))
    .addNode("plain", async () => {
      await work(2, 0);
      await work(2, 1);
      return {};
    })
    .addEdge(START, "a")
    .addEdge(START, "b")
    .addEdge(START, "plain")
    .compile({ checkpointer: new MemorySaver() });
}

describe.each([
  { name: "delta channel", field: filesValue },
  { name: "ordinary reducer", field: filesReducedValue as unknown as typeof filesValue },
])("subgraphs and a node of one superstep over the $name", ({ field }) => {
  test("lose no acknowledged edit of one file", async () => {
    const files = new StateBackend();
    const acknowledged: string[] = [];
    const refused = new Set<string | undefined>();
    const graph = graphOf(field, async (branch, step) => {
      for (const [n, word] of WORDS.entries()) {
        if (n % 3 !== branch || Math.floor(n / 45) !== step) continue;
        const { error, code } = await files.edit("/a.txt", word, word.toUpperCase());
        if (error === undefined) acknowledged.push(word.toUpperCase());
        else refused.add(code);
      }
    });
    const input = { files: { "/a.txt": { content: WORDS.join("") } } };
    const state = await graph.invoke(input, thread);
    const content = contentAt(state.files, "/a.txt");
    expect(acknowledged.length).toBeGreaterThanOrEqual(30);
    expect(acknowledged.filter((word) => !content.includes(word))).toEqual([]);
    expect([...refused]).toEqual(["conflict"]);
    expect((await graph.getState(thread)).values.files).toEqual(state.files);
  });

  test("keep their changes of different files", async () => {
    const files = new StateBackend();
    const results: unknown[] = [];
    const graph = graphOf(field, async (branch, step) => {
      results.push((await files.edit(`/${branch}.txt`, `${step}`, `done ${step}`)).error);
    });
    const input = Object.fromEntries([0, 1, 2].map((n) => [`/${n}.txt`, { content: "0, 1" }]));
    const state = await graph.invoke({ files: input }, thread);
    expect(results).toEqual(Array.from({ length: 6 }, () => undefined));
    for (const path of Object.keys(input))
      expect(contentAt(state.files, path)).toBe("done 0, done 1");
  });
});

test("what was staged outside is taken along whole, or stays staged", async () => {
  const [files, staged] = [new StateBackend(), new StateBackend()];
  for (const path of ["/a.txt", "/b.txt", "/c.txt"]) await staged.write(path, "staged");
  let edit = () => {};
  const edited = new Promise<void>((resolve) => (edit = resolve));
  const schema = new StateSchema({ files: filesValue() });
  const inner = new StateGraph(schema)
    .addNode("work", async () => {
      await files.write("/b.txt", "of the copy");
      edit();
      return {};
    })
    .addEdge(START, "work")
    .compile();
  const seen: unknown[] = [];
  const graph = new StateGraph(schema)
    .addNode("copy", inner)
    .addNode("beside", async () => {
      await edited;
      seen.push((await staged.ls("/")).code);
      seen.push((await files.ls("/")).files?.map(({ path }) => path));
      return {};
    })
    .addNode("after", async () => {
      seen.push((await staged.read("/c.txt")).content);
      return {};
    })
    .addEdge(START, "copy")
    .addEdge(START, "beside")
    .addEdge("beside", "after")
    .compile({ checkpointer: new MemorySaver() });
  const state = await graph.invoke({ files: { "/x.txt": { content: "x" } } }, thread);
  expect(seen).toEqual(["conflict", ["/x.txt"], "staged"]);
  expect(Object.keys(state.files).toSorted()).toEqual(["/a.txt", "/b.txt", "/c.txt", "/x.txt"]);
});

test("graphs with files of their own, which they were not handed, use the same names beside each other", async () => {
  const files = new StateBackend();
  const inner = new StateGraph(new StateSchema({ files: filesValue() }))
    .addNode("work", async () => {
      const { error } = await files.write("/notes.md", "mine");
      if (error !== undefined) throw new Error(error);
      return {};
    })
    .addEdge(START, "work")
    .compile();
  const call = async () => {
    const { files: own } = await inner.invoke({});
    expect(contentAt(own, "/notes.md")).toBe("mine");
    return {};
  };
  const graph = new StateGraph(new StateSchema({ files: filesValue() }))
    .addNode("a", call)
    .addNode("b", call)
    .addEdge(START, "a")
    .addEdge(START, "b")
    .compile({ checkpointer: new MemorySaver() });
  const state = await graph.invoke({ files: {} }, thread);
  expect(state.files).toEqual({});
});

function contentAt(files: FilesRecord, path: string): string {
  const content = files[path]?.content;
  return typeof content === "string" ? content : "";
}
