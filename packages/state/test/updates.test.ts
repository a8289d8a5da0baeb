import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { filesReducedValue, filesValue, StateBackend, type FilesInput } from "@fs/state";
import { InvalidUpdateError, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";

const file = { content: "x" };
const MALFORMED: readonly unknown[] = [
  5,
  "text",
  ["/a.txt"],
  { $operations: null },
  { $operations: 7 },
  { $operations: {} },
  { $operations: { step: "s", operations: {} } },
  { $operations: { step: 1, operations: [] } },
  ...[
    null,
    {},
    { n: "1", put: "/a.txt", file },
    { n: 1, put: "/../evil", file },
    { n: 1, put: "a.txt", file },
    { n: 1, put: "/a.txt", file: null },
    { n: 1, put: 3, file },
    { n: 1, edit: "/a.txt", edits: null, at: "2026-01-01" },
    { n: 1, edit: "/a.txt", edits: [{ old: 1, new: "", replaceAll: false }], at: "2026-01-01" },
    { n: 1, edit: "/a.txt", edits: [], at: 0 },
    { n: 1, remove: "/a/../b" },
    { n: 1, removeBelow: "../" },
    { n: 1, merge: { "/a.txt": "no file" } },
    { n: 1, merge: null },
  ].map((operation) => ({ $operations: { step: "s", operations: [operation] } })),
];

describe.each([
  { name: "delta channel", field: filesValue },
  { name: "ordinary reducer", field: filesReducedValue as unknown as typeof filesValue },
])("updates of the $name that hold no files", ({ field }) => {
  const schema = new StateSchema({ files: field() });
  const graph = (output: unknown = {}) =>
    new StateGraph(schema)
      .addNode("work", async () => ({ files: output as FilesInput }))
      .addEdge(START, "work")
      .compile();

  test.each(MALFORMED.map((update) => [JSON.stringify(update), update] as const))(
    "%s are refused as a graph's input and as a node's output",
    async (_, update) => {
      await expect(graph().invoke({ files: update as FilesInput })).rejects.toThrow(
        "files must be",
      );
      await expect(graph(update).invoke({ files: {} })).rejects.toThrow("files must be");
    },
  );
});

test.each(MALFORMED.map((update) => [JSON.stringify(update), update] as const))(
  "the reducer refuses %s in LangGraph's own words",
  (_, update) => {
    expect(() => filesValue().reducer({}, [update as FilesInput])).toThrow(InvalidUpdateError);
  },
);

test("two backends with namespaces have a key space each, in one field", async () => {
  const files = new CompositeBackend(new MemoryBackend(), {
    "/notes/": new StateBackend({ namespace: "notes" }),
    "/drafts/": new StateBackend({ namespace: "drafts" }),
  });
  const seen: unknown[] = [];
  const graph = new StateGraph(new StateSchema({ files: filesValue() }))
    .addNode("work", async () => {
      await files.write("/notes/a.txt", "a note");
      await files.write("/drafts/a.txt", "a draft");
      await files.write("/drafts/d/b.txt", "another draft");
      await files.edit("/drafts/a.txt", "draft", "text");
      seen.push((await files.read("/notes/a.txt")).content);
      seen.push((await files.read("/drafts/a.txt")).content);
      seen.push((await files.ls("/notes")).files?.map(({ path }) => path));
      seen.push((await files.glob("**", "/drafts")).files?.map(({ path }) => path));
      seen.push((await files.grep("a", "/notes")).matches?.map(({ path }) => path));
      seen.push((await files.grep("draft", "/drafts/d")).matches?.map(({ path }) => path));
      seen.push((await files.delete("/drafts/d")).error);
      seen.push((await new StateBackend({ namespace: "empty" }).ls("/")).files);
      return {};
    })
    .addEdge(START, "work")
    .compile();
  const state = await graph.invoke({});
  expect(seen).toEqual([
    "a note",
    "a text",
    ["/notes/a.txt"],
    ["/drafts/a.txt", "/drafts/d/b.txt"],
    ["/notes/a.txt"],
    ["/drafts/d/b.txt"],
    undefined,
    [],
  ]);
  expect(Object.keys(state.files)).toEqual(["/notes/a.txt", "/drafts/a.txt"]);
});

test.each([
  [{ namespaces: "a" }, "namespaces"],
  [{ namespace: "" }, "namespace"],
  [{ namespace: "a/b" }, "namespace"],
  [{ namespace: ".." }, "namespace"],
  [{ fileFormat: "v3" }, "fileFormat"],
  [{ content: {} }, "content.backend"],
  [{ content: { backend: new MemoryBackend(), directory: "blobs" } }, "content.directory"],
  [{ content: { backend: new MemoryBackend(), from: Number.NaN } }, "content.from"],
  [{ content: { backend: new MemoryBackend(), dir: "/b" } }, "dir"],
  [null, "object"],
  ["v1", "object"],
])("StateBackend refuses the options %j", (options, named) => {
  expect(() => new StateBackend(options as never)).toThrow(TypeError);
  expect(() => new StateBackend(options as never)).toThrow(named);
});

test.each([{ snapshotFrequency: 0 }, { snapshotFrequency: "3" }, { frequency: 3 }, null])(
  "filesValue refuses the options %j",
  (options) => {
    expect(() => filesValue(options as never)).toThrow(TypeError);
  },
);
