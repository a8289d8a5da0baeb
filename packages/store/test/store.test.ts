import { CompositeBackend } from "@fs/protocol";
import { filesSchema, StateBackend } from "@fs/state";
import { StoreBackend, type NamespaceFactory, type StoreRuntime } from "@fs/store";
import { BaseStore, InMemoryStore, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import type { Operation, OperationResults } from "@langchain/langgraph-checkpoint";
import { StoreBackend as PeerBackend } from "deepagents";
import { describe, expect, test, vi } from "vitest";

/** Counts the calls on a store. */
class CountingStore extends InMemoryStore {
  calls: string[] = [];

  override async batch<Op extends readonly Operation[]>(operations: Op) {
    this.calls.push(`batch of ${operations.length}`);
    return super.batch(operations);
  }

  override async search(...parameters: Parameters<InMemoryStore["search"]>) {
    this.calls.push("search");
    return super.search(...parameters);
  }
}

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

test("files of deepagents and ours are each other's, bytes and lines included", async () => {
  const store = new InMemoryStore();
  const ours = new StoreBackend({ store, namespace: ["shared"] });
  const theirs = new PeerBackend({ store, namespace: ["shared"] });
  const older = new PeerBackend({ store, namespace: ["shared"], fileFormat: "v1" });
  await theirs.write("/theirs.md", "from deepagents");
  await older.write("/older.md", "from deepagents\nin lines");
  await theirs.uploadFiles([["/image.png", Uint8Array.of(0, 255, 7)]]);
  await ours.write("/ours.md", "from here");
  expect((await ours.read("/theirs.md")).content).toBe("from deepagents");
  expect((await ours.read("/older.md")).content).toBe("from deepagents\nin lines");
  expect((await ours.read("/image.png")).content).toEqual(Uint8Array.of(0, 255, 7));
  expect((await theirs.read("/ours.md")).content).toBe("from here");
  expect((await theirs.ls("/")).files).toHaveLength(4);
});

test("searching takes one call, a batch of reads too, and a batch of files one to look and one to store", async () => {
  const store = new CountingStore();
  const backend = new StoreBackend({ store, namespace: ["many"] });
  const bytes = new TextEncoder().encode("needle");
  const count = 1234;
  await backend.uploadFiles(
    Array.from({ length: count }, (_, n) => [`/d${n % 10}/f${n}.txt`, bytes]),
  );
  expect(store.calls).toEqual([`batch of ${count}`, `batch of ${count}`]);
  store.calls = [];
  expect((await backend.grep("needle", "/", null, 5)).matches).toHaveLength(5);
  expect((await backend.glob("**/*1.txt")).files).toHaveLength(124);
  expect((await backend.ls("/")).files).toHaveLength(10);
  // The fourth found out whether the store had given all.
  expect(store.calls.filter((call) => call === "search")).toHaveLength(4);
  store.calls = [];
  await backend.downloadFiles(["/d0/f0.txt", "/d1/f1.txt", "/d2/f2.txt"]);
  expect(store.calls).toEqual(["batch of 3"]);
});

test.each([100, 64, 25, 7, 1])(
  "of a store that caps its answers at %i all files are listed and removed",
  async (cap) => {
    const inner = new InMemoryStore();
    class CappedStore extends BaseStore {
      async batch<Op extends readonly Operation[]>(operations: Op) {
        const capped = operations.map((operation) =>
          "namespacePrefix" in operation
            ? { ...operation, limit: Math.min(operation.limit ?? 10, cap) }
            : operation,
        );
        return (await inner.batch(capped)) as OperationResults<Op>;
      }
    }
    const backend = new StoreBackend({ store: new CappedStore(), namespace: ["capped"] });
    const bytes = new TextEncoder().encode("x");
    await backend.uploadFiles(Array.from({ length: 200 }, (_, n) => [`/d/f${n}.txt`, bytes]));
    expect((await backend.ls("/d")).files).toHaveLength(200);
    expect(await backend.delete("/d")).toEqual({ path: "/d" });
    expect((await backend.ls("/")).files).toEqual([]);
  },
);

test("a store that knows neither limit nor offset is read once, and ends", async () => {
  const inner = new InMemoryStore();
  class PlainStore extends BaseStore {
    async batch<Op extends readonly Operation[]>(operations: Op) {
      const plain = operations.map((operation) =>
        "namespacePrefix" in operation ? { ...operation, limit: 1000, offset: 0 } : operation,
      );
      return (await inner.batch(plain)) as OperationResults<Op>;
    }
  }
  const backend = new StoreBackend({ store: new PlainStore(), namespace: ["plain"] });
  await backend.uploadFiles(Array.from({ length: 20 }, (_, n) => [`/f${n}.txt`, Uint8Array.of(n)]));
  expect((await backend.ls("/")).files).toHaveLength(20);
});

test("whether a store caps its answers is asked once for as many files, and never of those that do not", async () => {
  const bytes = new TextEncoder().encode("x");
  const files = Array.from({ length: 30 }, (_, n) => [`/f${n}.txt`, bytes] as [string, Uint8Array]);
  const store = new CountingStore();
  const backend = new StoreBackend({ store, namespace: ["counted"] });
  await backend.uploadFiles(files);
  store.calls = [];
  for (let round = 0; round < 3; round++) expect((await backend.ls("/")).files).toHaveLength(30);
  await backend.delete("/f0.txt");
  expect((await backend.ls("/")).files).toHaveLength(29);
  expect(store.calls.filter((call) => call === "search")).toHaveLength(5);

  const known = new InMemoryStore();
  const searches = vi.spyOn(known, "search");
  const other = new StoreBackend({ store: known, namespace: ["known"] });
  await other.uploadFiles(files);
  expect((await other.ls("/")).files).toHaveLength(30);
  expect(searches).toHaveBeenCalledTimes(1);
});

test("a directory that was removed does not come back by an edit beside it", async () => {
  let reach = () => {};
  let release = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  class SlowStore extends InMemoryStore {
    override async get(namespace: string[], key: string) {
      const item = await super.get(namespace, key);
      if (key !== "/d/a.md") return item;
      reach();
      await released;
      return item;
    }
  }
  const store = new SlowStore();
  const open = () => new StoreBackend({ store, namespace: ["race"] });
  await store.put(["race"], "/d/a.md", { content: "one" });
  const edited = open().edit("/d/a.md", "one", "two");
  await reached;
  const removed = open().delete("/d/");
  await Promise.race([removed, new Promise((resolve) => setTimeout(resolve, 20))]);
  release();
  expect([(await edited).error, (await removed).error]).toEqual([undefined, undefined]);
  expect((await open().ls("/")).files).toEqual([]);
});

test("a change whose answer is lost may have happened, and that is said; what is refused has not", async () => {
  let fails: Error | undefined;
  class LosingStore extends InMemoryStore {
    override async batch<Op extends readonly Operation[]>(operations: Op) {
      const results = await super.batch(operations);
      if (fails !== undefined && operations.some((one) => "value" in one)) throw fails;
      return results;
    }
    override async put(...parameters: Parameters<InMemoryStore["put"]>) {
      await super.put(...parameters);
      if (fails !== undefined) throw fails;
    }
  }
  const files = new StoreBackend({ store: new LosingStore(), namespace: ["lost"] });
  await files.write("/d/a.md", "one");
  const changes = () => [
    files.write("/b.md", "b"),
    files.edit("/d/a.md", "one", "two"),
    files.delete("/d/"),
    files.uploadFiles([["/u.md", Uint8Array.of(65)]]).then(([first]) => first),
  ];
  fails = new Error("Connection terminated at 10.0.0.1");
  for (const change of changes()) {
    const answer = await change;
    expect(answer).toMatchObject({ code: "unavailable" });
    expect(JSON.stringify(answer)).not.toContain("10.0.0.1");
    // Of an upload the protocol gives a word.
    if (answer?.error !== "permission_denied")
      expect(answer?.error).toMatch(/^The store failed \(Error\).*may have happened/);
  }
  expect((await files.read("/b.md")).content).toBe("b");
  fails = Object.assign(new Error("full"), { code: "ENOSPC" });
  expect(await files.write("/c.md", "c")).toMatchObject({ code: "quota_exceeded" });
});

test("parallel edits through several backends on one store are all kept", async () => {
  const store = new InMemoryStore();
  const open = () => new StoreBackend({ store, namespace: ["race"] });
  await open().write("/a.txt", "0 1 2 3 4 5 6 7 8 9");
  const edits = await Promise.all(
    Array.from({ length: 10 }, (_, n) => open().edit("/a.txt", String(n), `<${"abcdefghij"[n]}>`)),
  );
  expect(edits.every(({ error }) => error === undefined)).toBe(true);
  expect((await open().read("/a.txt")).content).toBe("<a> <b> <c> <d> <e> <f> <g> <h> <i> <j>");
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

test.each([[{ store: "memory" }], [{ fileFormat: "v3" }], [{ writeMode: "replace" }], [null]])(
  "the options %j are a TypeError",
  (options) => {
    expect(() => new StoreBackend(options as never)).toThrow(TypeError);
  },
);

test("an item that is no file is neither replaced nor removed, and no file", async () => {
  const store = new InMemoryStore();
  await store.put(["shared"], "/profile", { name: "Ann" });
  for (const writeMode of ["create", "overwrite"] as const) {
    const backend = new StoreBackend({ store, namespace: "shared", writeMode });
    const written = await backend.write("/profile", "text");
    expect(written).toMatchObject({ code: "already_exists" });
    expect(written.error).toContain("no file");
    const uploads = await backend.uploadFiles([
      ["/profile", Uint8Array.of(1)],
      [`/${writeMode}`, Uint8Array.of(1)],
    ]);
    expect(uploads.map(({ code }) => code)).toEqual(["already_exists", undefined]);
    expect(await backend.read("/profile")).toMatchObject({ code: "not_found" });
    expect(await backend.delete("/profile")).toMatchObject({ code: "not_found" });
  }
  expect((await store.get(["shared"], "/profile"))?.value).toEqual({ name: "Ann" });
});

test("uploads meet their conditions, keep the time of creation, and undo no edit under way", async () => {
  const store = new InMemoryStore();
  const backend = new StoreBackend({ store, namespace: "uploads" });
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  await backend.write("/a.txt", "0");
  const { data } = await backend.readRaw("/a.txt");
  const { version = "" } = await backend.read("/a.txt");
  const answers = await backend.uploadFiles([
    ["/a.txt", bytes("1"), { ifVersion: version }],
    ["/a.txt", bytes("2"), { ifVersion: version }],
    ["/b.txt", bytes("1"), { ifAbsent: true }],
    ["/b.txt", bytes("2"), { ifAbsent: true }],
  ]);
  expect(answers.map(({ code }) => code)).toEqual([
    undefined,
    "conflict",
    undefined,
    "already_exists",
  ]);
  expect((await backend.readRaw("/a.txt")).data).toMatchObject({
    content: "1",
    created_at: data?.created_at,
  });
  // Whatever the order, the file is what one of the two left, with the other's change in it or under it.
  for (let round = 0; round < 20; round++) {
    await backend.uploadFiles([["/race.txt", bytes("old")]]);
    const [edited] = await Promise.all([
      backend.edit("/race.txt", "old", "edited"),
      backend.uploadFiles([
        ["/race.txt", bytes("new")],
        ["/other.txt", bytes("x")],
      ]),
    ]);
    const { content } = await backend.read("/race.txt");
    expect(["new", ...(edited.error === undefined ? [] : ["never"])]).toContain(content);
  }
});

test("what is stored beside a file is bounded, however deep it lies, and the file is found all the same", async () => {
  const store = new InMemoryStore();
  const backend = new StoreBackend({ store, namespace: "deep" });
  const directory = "/d".repeat(2000);
  await backend.write(`${directory}/f`, "x");
  await backend.write("/d/d/near", "x");
  const item = await store.get(["deep"], `${directory}/f`);
  expect(JSON.stringify(item?.value).length).toBeLessThan(12_000);
  for (const below of ["/d/d", directory, directory.slice(0, 2000)])
    expect((await backend.glob("**/f", below)).files).toHaveLength(1);
  expect((await backend.ls(directory)).files?.map(({ path }) => path)).toEqual([`${directory}/f`]);
});

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

test("an item that is no file has no version to be replaced in", async () => {
  const store = new InMemoryStore();
  await store.put(["shared"], "/profile", { name: "Ann" });
  const backend = new StoreBackend({ store, namespace: "shared" });
  const [answer] = await backend.uploadFiles([
    ["/profile", Uint8Array.of(1), { ifVersion: "any" }],
  ]);
  expect(answer?.code).toBe("conflict");
  expect((await backend.write("/profile", "x", { ifVersion: "any" })).code).toBe("conflict");
});

test("an edit that makes a file too large leaves it", async () => {
  const options = { store: new InMemoryStore(), namespace: "shared", maxFileBytes: 4 };
  const backend = new StoreBackend(options);
  await backend.write("/f", "abc");
  expect((await backend.edit("/f", "b", "bé")).code).toBe("too_large");
  expect((await backend.read("/f")).content).toBe("abc");
});

test("a text with a NUL that others have stored is no text, and no edit changes it", async () => {
  const store = new InMemoryStore();
  const at = "2026-01-01T00:00:00.000Z";
  const content = "a\0b";
  const item = { content, mimeType: "text/plain", created_at: at, modified_at: at };
  await store.put(["shared"], "/f", item);
  const backend = new StoreBackend({ store, namespace: "shared" });
  expect((await backend.edit("/f", "a", "c")).code).toBe("not_text");
  expect((await store.get(["shared"], "/f"))?.value).toMatchObject({ content });
});
