import { conformance } from "@fs/conformance/vitest";
import { WITHOUT_MATRIX } from "@fs/test-servers/variants";
import { StoreBackend } from "@fs/store";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { StoreBackend as PeerBackend } from "deepagents";
import pg from "pg";
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
    WITHOUT_MATRIX,
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

  test("a directory of many is found by the index of the store, and by it alone where nothing else writes", async () => {
    const namespace = ["indexed"];
    const ours = new StoreBackend({ store, namespace, onlyWriter: true });
    expect((await ours.write("/d0/f0.txt", "needle ".repeat(40))).error).toBeUndefined();
    const admin = new pg.Client({ connectionString: server.info.url });
    await admin.connect();
    // As the backend would store them, in one statement.
    await admin.query(
      `insert into store (namespace_path, key, value)
       select namespace_path, format('/d%s/f%s.txt', n % 200, n),
              value || jsonb_build_object('place', jsonb_build_object('dir0', '/', 'dir1', format('/d%s', n % 200)))
       from store, generate_series(1, 19999) n where key = '/d0/f0.txt' and namespace_path = $1`,
      namespace,
    );
    // The index keeps new rows in a pending list, whose pages the planner counts until a vacuum.
    await admin.query("vacuum analyze store");
    const sent = vi.spyOn(pg.Client.prototype, "query");
    /** The plans of the searches of a call, as the planner makes them by itself. */
    const plansOf = async (backend: StoreBackend, path: string): Promise<string[]> => {
      sent.mockClear();
      expect((await backend.ls(path)).files).toHaveLength(100);
      const searches = (sent.mock.calls as unknown[][]).filter(
        ([text]) => typeof text === "string" && text.includes("LIKE $1"),
      );
      const plans: string[] = [];
      for (const [text, values] of searches) {
        const { rows } = await admin.query<{ "QUERY PLAN": string }>(
          `explain ${String(text)}`,
          values as unknown[],
        );
        plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
      }
      return plans;
    };
    // The first listing looks for files without a place, which no index finds.
    const [unplaced, placed] = await plansOf(ours, "/d7");
    expect(unplaced).toContain("Seq Scan");
    expect(placed).toContain("Bitmap Index Scan on idx_store_value_gin");
    for (const path of ["/d7", "/d8"]) {
      const plans = await plansOf(ours, path);
      expect(plans).toHaveLength(1);
      expect(plans[0]).toContain("Bitmap Index Scan on idx_store_value_gin");
      expect(plans[0]).not.toContain("Seq Scan");
    }
    sent.mockRestore();
    await admin.end();
  });

  test("what the version before stored is listed, and given its place by the next change", async () => {
    const namespace = ["before"];
    const file = {
      content: "needle",
      mimeType: "text/plain",
      created_at: "2026-01-01T00:00:00.000Z",
      modified_at: "2026-01-01T00:00:00.000Z",
    };
    // One field for each directory, and none at all.
    await store.put(namespace, "/docs/a/fields.md", {
      ...file,
      dir0: "/",
      dir1: "/docs",
      dir2: "/docs/a",
    });
    await store.put(namespace, "/docs/none.md", file);
    for (const onlyWriter of [false, true]) {
      const ours = new StoreBackend({ store, namespace, onlyWriter });
      await ours.write(`/docs/${String(onlyWriter)}.md`, "needle");
      for (let round = 0; round < 2; round++) {
        const paths = (await ours.glob("**", "/docs")).files?.map(({ path }) => path) ?? [];
        expect(paths).toEqual(expect.arrayContaining(["/docs/a/fields.md", "/docs/none.md"]));
        expect((await ours.ls("/docs/a")).files).toHaveLength(1);
        expect((await ours.grep("needle", "/docs/a")).matches).toHaveLength(1);
      }
    }
    const ours = new StoreBackend({ store, namespace, onlyWriter: true });
    for (const path of ["/docs/a/fields.md", "/docs/none.md"]) {
      expect((await ours.edit(path, "needle", "found")).error).toBeUndefined();
      expect((await store.get(namespace, path))?.value).toHaveProperty("place");
    }
    for (let round = 0; round < 3; round++)
      expect((await ours.grep("found", "/docs")).matches).toHaveLength(2);
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
