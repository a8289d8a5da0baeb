import { StoreBackend } from "@fs/store";
import { InMemoryStore } from "@langchain/langgraph";
import type { Operation } from "@langchain/langgraph-checkpoint";
import { StoreBackend as PeerBackend } from "deepagents";
import { expect, test } from "vitest";

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

// Whether a store takes an underscore is asked once, by the first call.
test("a store that could not be reached at the first call is asked again by the next", async () => {
  let reachable = false;
  class OutOfReach extends InMemoryStore {
    override async get(...parameters: Parameters<InMemoryStore["get"]>) {
      if (!reachable) throw new Error("connect ECONNREFUSED");
      return super.get(...parameters);
    }
  }
  const files = new StoreBackend({ store: new OutOfReach(), namespace: ["by_user"] });
  expect(await files.write("/a.md", "a")).toMatchObject({ code: "unavailable" });
  reachable = true;
  expect(await files.write("/a.md", "a")).toMatchObject({ path: "/a.md" });
  expect((await files.read("/a.md")).content).toBe("a");
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
