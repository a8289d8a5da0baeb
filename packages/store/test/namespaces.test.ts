import { CompositeBackend } from "@fs/protocol";
import { filesSchema, StateBackend } from "@fs/state";
import { StoreBackend, type NamespaceFactory, type StoreRuntime } from "@fs/store";
import {
  type BaseStore,
  InMemoryStore,
  MemorySaver,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { describe, expect, test } from "vitest";

/** Runs a body in a graph with a store, a context and config of its own. */
async function inGraph(
  store: BaseStore,
  body: () => Promise<unknown>,
  options: Record<string, unknown> = {},
): Promise<unknown> {
  let result: unknown;
  const graph = new StateGraph(filesSchema)
    .addNode("work", async () => {
      result = await body();
      return {};
    })
    .addEdge(START, "work")
    .compile({ checkpointer: new MemorySaver(), store });
  await graph.invoke({ files: {} }, { configurable: { thread_id: "1" }, ...options });
  return result;
}

describe("namespaces", () => {
  test("are exact", async () => {
    const store = new InMemoryStore();
    const names = [
      ["acme"],
      ["acme-corp"],
      ["acme", "sub"],
      ["a@b.com"],
      ["a_b"],
      ["a:b"],
      ["a"],
      ["a~b+c"],
    ];
    for (const namespace of names)
      expect(
        await new StoreBackend({ store, namespace }).write("/a.txt", namespace.join("/")),
      ).toMatchObject({ path: "/a.txt" });
    for (const namespace of names) {
      const backend = new StoreBackend({ store, namespace });
      expect((await backend.grep("a")).matches?.map(({ text }) => text)).toEqual([
        namespace.join("/"),
      ]);
      expect((await backend.ls("/")).files).toHaveLength(1);
    }
  });

  test.each([[[]], [[""]], [["*"]], [["a", "b?"]], [["a/b"]], [["{a,b}"]], [["a b"]]])(
    "%j is refused",
    async (namespace: string[]) => {
      expect(() => new StoreBackend({ namespace })).toThrow("namespace");
      const backend = new StoreBackend({ store: new InMemoryStore(), namespace: () => namespace });
      expect(await backend.ls("/")).toMatchObject({ code: "invalid_argument" });
    },
  );

  test("come from the runtime of the call", async () => {
    const store = new InMemoryStore();
    const seen: Array<Pick<StoreRuntime, "context" | "assistantId">> = [];
    const backend = new StoreBackend({
      namespace: (rt) => {
        seen.push({ context: rt.context, assistantId: rt.assistantId });
        return [rt.executionInfo.threadId, rt.serverInfo.assistantId ?? "none"];
      },
    });
    await inGraph(store, () => backend.write("/a.txt", "a"), {
      context: { user: "ann" },
      metadata: { assistant_id: "helper" },
    });
    expect(seen).toEqual([{ context: { user: "ann" }, assistantId: "helper" }]);
    expect((await store.get(["1", "helper"], "/a.txt"))?.value).toMatchObject({ content: "a" });
  });

  test("have the older defaults and contexts, with a warning", async () => {
    const warnings: string[] = [];
    const listen = (warning: Error & { code?: string }) => warnings.push(warning.code ?? "");
    process.on("warning", listen);
    const store = new InMemoryStore();
    await inGraph(store, () => new StoreBackend().write("/a.txt", "a"), {
      metadata: { assistant_id: "helper" },
    });
    await new StoreBackend({ store }).write("/b.txt", "b");
    const legacy = new StoreBackend(
      { state: { user: "ann" }, store },
      { namespace: (context) => [(context.state as { user: string }).user] },
    );
    await legacy.write("/c.txt", "c");
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", listen);
    expect(await store.get(["helper", "filesystem"], "/a.txt")).not.toBeNull();
    expect(await store.get(["filesystem"], "/b.txt")).not.toBeNull();
    expect(await store.get(["ann"], "/c.txt")).not.toBeNull();
    expect(warnings.toSorted()).toEqual([
      "FS_DEP_STORE_CONTEXT",
      "FS_DEP_STORE_NAMESPACE",
      "FS_DEP_STORE_RUNTIME",
    ]);
  });

  test("without a store are an error that says so", async () => {
    expect(await new StoreBackend({ namespace: ["a"] }).read("/a.txt")).toMatchObject({
      code: "unavailable",
      error: expect.stringContaining("store") as string,
    });
  });
});

test("behind a composite, memories outlive the thread and stay with their user", async () => {
  const store = new InMemoryStore();
  const backend = new CompositeBackend(new StateBackend(), {
    "/memories/": new StoreBackend({ namespace: (rt) => [(rt.context as { user: string }).user] }),
  });
  const work = (user: string, thread: string, body: () => Promise<unknown>) =>
    inGraph(store, body, { context: { user }, configurable: { thread_id: thread } });
  await work("ann", "1", async () => {
    await backend.write("/draft.md", "draft of ann");
    await backend.write("/memories/note.md", "note of ann");
  });
  const seen = (await work("ann", "2", async () => [
    (await backend.read("/memories/note.md")).content,
    (await backend.read("/draft.md")).code,
  ])) as unknown[];
  expect(seen).toEqual(["note of ann", "not_found"]);
  expect(await work("bob", "3", async () => (await backend.grep("ann", "/")).matches)).toEqual([]);
});

test("a text is a namespace of one component, and never the shared default", async () => {
  const store = new InMemoryStore();
  await new StoreBackend({ store, namespace: "ann" }).write("/a.txt", "of ann");
  expect((await store.get(["ann"], "/a.txt"))?.value).toMatchObject({ content: "of ann" });
  expect(await new StoreBackend({ store, namespace: "bob" }).read("/a.txt")).toMatchObject({
    code: "not_found",
  });
  const made = new StoreBackend({ store, namespace: () => "ann" });
  expect(await made.read("/a.txt")).toMatchObject({ content: "of ann" });
});

test.each([[7], [null], [{}], [true], ["a/b"], [""], [["a", 1]]])(
  "the namespace %j is a TypeError",
  (namespace) => {
    expect(() => new StoreBackend({ namespace: namespace as never })).toThrow(TypeError);
  },
);

describe("namespace functions as documentation spells them", () => {
  const factories: NamespaceFactory[] = [
    (rt) => [rt.serverInfo.user.identity],
    (rt) => [rt.serverInfo.assistantId, rt.serverInfo.user.identity, "filesystem"],
    (rt) => ["filesystem", rt.executionInfo.threadId],
    (rt) => rt.serverInfo.assistantId,
  ];

  test("compile, and find their user", async () => {
    const store = new InMemoryStore();
    const configurable = {
      thread_id: "t1",
      assistant_id: "helper",
      langgraph_auth_user: { identity: "ann" },
    };
    for (const [index, namespace] of factories.entries()) {
      const backend = new StoreBackend({ namespace });
      const written = await inGraph(store, () => backend.write(`/${index}.txt`, "x"), {
        configurable,
      });
      expect(written).toMatchObject({ path: `/${index}.txt` });
    }
    expect(await store.get(["ann"], "/0.txt")).not.toBeNull();
    expect(await store.get(["helper", "ann", "filesystem"], "/1.txt")).not.toBeNull();
    expect(await store.get(["filesystem", "t1"], "/2.txt")).not.toBeNull();
    expect(await store.get(["helper"], "/3.txt")).not.toBeNull();
  });

  test("fail with an error that names them where the run has no user, and share nothing", async () => {
    const store = new InMemoryStore();
    for (const [index, namespace] of factories.entries()) {
      const answer = await new StoreBackend({ store, namespace }).write("/a.txt", "x");
      expect(answer.code).toBe("invalid_argument");
      expect(answer.error).toMatch(index < 2 ? /namespace.*(identity|component)/s : /namespace/);
      expect(answer.error).not.toMatch(/storage|TypeError/);
    }
    const secret = new StoreBackend({
      store,
      namespace: () => {
        throw new Error("password hunter2");
      },
    });
    const answer = await secret.read("/a.txt");
    expect(answer.error).toContain("`namespace`");
    expect(answer.error).not.toContain("hunter2");
    expect(await store.search([], { limit: 10 })).toEqual([]);
  });
});
