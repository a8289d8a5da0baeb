import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { StoreBackend } from "@fs/store";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { StoreBackend as PeerBackend } from "deepagents";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { storeHarness } from "./store-harness.js";

describeWithServer("postgres", "StoreBackend on PostgresStore", () => {
  let server: TestServer<PostgresInfo>;
  let store: PostgresStore;

  beforeAll(async () => {
    server = await startPostgres();
    store = PostgresStore.fromConnString(server.info.url);
    await store.setup();
  });
  afterAll(async () => {
    await store.stop();
    await server.stop();
  });

  conformance(
    storeHarness("store in Postgres", () => store),
    VARIANT,
  );

  test("tenants are apart, whatever their names", async () => {
    const names = ["1", "10", "a_b", "axb", "a@b.com", "a@b", "auth0:123", "auth0"];
    const backends = names.map((name) => new StoreBackend({ store, namespace: ["users", name] }));
    for (const [index, backend] of backends.entries())
      expect(await backend.write("/secret.txt", `secret of ${names[index]}`)).not.toHaveProperty(
        "error",
      );
    for (const [index, backend] of backends.entries()) {
      const { matches } = await backend.grep("secret");
      expect(matches?.map(({ text }) => text)).toEqual([`secret of ${names[index]}`]);
    }
    expect((await new StoreBackend({ store, namespace: ["users"] }).ls("/")).files).toEqual([]);
  });

  test("a bulk insert is found whole, each file once", async () => {
    const backend = new StoreBackend({ store, namespace: ["bulk"] });
    const bytes = new TextEncoder().encode("x");
    const paths = Array.from({ length: 5000 }, (_, n) => `/d${n % 50}/f${n}.txt`);
    const stored = await backend.uploadFiles(paths.map((path) => [path, bytes]));
    expect(stored.every(({ error }) => error === null)).toBe(true);
    const { files } = await backend.glob("**");
    expect(files?.map(({ path }) => path)).toEqual(paths.toSorted());
    expect((await backend.ls("/d1")).files).toHaveLength(100);
  });

  test("below a directory, one call gives what was written here and what others wrote", async () => {
    const ours = new StoreBackend({ store, namespace: ["placed"] });
    const theirs = new PeerBackend({ store, namespace: ["placed"] });
    const bytes = new TextEncoder().encode("needle");
    await ours.uploadFiles(
      Array.from({ length: 500 }, (_, n) => [`/d${n % 10}/sub/f${n}.txt`, bytes]),
    );
    await theirs.write("/d1/theirs.md", "needle of deepagents");
    await ours.write("/d1/changed.md", "needle");
    await theirs.edit("/d1/changed.md", "needle", "needle of deepagents");
    const calls = vi.spyOn(store, "batch");
    const items = async (): Promise<number> => {
      const [results] = await Promise.all(
        calls.mock.results.map(async ({ value }) => (await value) as unknown[]),
      );
      return (results ?? []).flat().filter((item) => item !== null).length;
    };
    expect((await ours.ls("/d1")).files?.map(({ path }) => path)).toEqual([
      "/d1/changed.md",
      "/d1/sub/",
      "/d1/theirs.md",
    ]);
    expect([calls.mock.calls.length, await items()]).toEqual([1, 52]);
    calls.mockClear();
    expect((await ours.grep("needle", "/d1")).matches).toHaveLength(52);
    expect([calls.mock.calls.length, await items()]).toEqual([1, 52]);
    calls.mockRestore();
  });

  test("its files and those of deepagents are each other's", async () => {
    const ours = new StoreBackend({ store, namespace: ["shared"] });
    const theirs = new PeerBackend({ store, namespace: ["shared"] });
    await theirs.write("/theirs.md", "from deepagents");
    await ours.write("/ours.md", "from here");
    expect((await ours.read("/theirs.md")).content).toBe("from deepagents");
    expect((await theirs.read("/ours.md")).content).toBe("from here");
    expect((await ours.grep("from")).matches).toHaveLength(2);
    expect((await theirs.grep("from")).matches).toHaveLength(2);
  });
});
