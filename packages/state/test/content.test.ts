import { MemoryBackend } from "@fs/protocol";
import { filesReducedValue, filesValue, StateBackend } from "@fs/state";
import {
  MemorySaver,
  START,
  StateGraph,
  StateSchema,
  type StateSchemaField,
} from "@langchain/langgraph";
import { createFilesystemMiddleware } from "deepagents";
import { describe, expect, test } from "vitest";

const KILOBYTES_4 = "lorem ipsum dolor sit amet, consectetur\n".repeat(103).slice(0, 4096);
const thread = { configurable: { thread_id: "1" } };

/** Makes a turn of a graph over a field, and tells what the files are afterwards. */
function threadOver(field: StateSchemaField<never, never> | ReturnType<typeof filesValue>) {
  let work: () => Promise<unknown> = async () => undefined;
  const graph = new StateGraph(new StateSchema({ files: field as ReturnType<typeof filesValue> }))
    .addNode("work", async () => {
      await work();
      return {};
    })
    .addEdge(START, "work")
    .compile({ checkpointer: new MemorySaver() });
  return async (next: typeof work) => {
    work = next;
    await graph.invoke({ files: {} }, thread);
    return (await graph.getState(thread)).values.files;
  };
}

describe("contents outside the state", () => {
  test("leave at most 200 bytes of a file in it, its path aside", async () => {
    const store = new MemoryBackend();
    const backend = new StateBackend({ content: { backend: store, directory: "/kept" } });
    const turn = threadOver(filesValue());
    const count = 50;
    const files = await turn(async () => {
      for (let n = 0; n < count; n++) await backend.write(`/d/${n}.md`, `${n} ${KILOBYTES_4}`);
      await backend.write("/small.md", "small");
    });
    expect(files["/small.md"]?.content).toBe("small");
    for (const [path, file] of Object.entries(files))
      if (path !== "/small.md") expect(JSON.stringify(file).length).toBeLessThanOrEqual(200);
    expect((await store.glob("**", "/kept")).files).toHaveLength(count);
  });

  test("are read, searched and edited by another process as well", async () => {
    const store = new MemoryBackend();
    const open = () => new StateBackend({ content: { backend: store } });
    const turn = threadOver(filesReducedValue() as never);
    const seen: unknown[] = [];
    await turn(() => open().write("/a.md", `${KILOBYTES_4}needle\n`));
    await turn(async () => {
      const backend = open();
      seen.push((await backend.ls("/")).files?.map(({ path, size }) => [path, size]));
      seen.push((await backend.grep("needle")).matches?.length);
      seen.push((await backend.edit("/a.md", "needle", "pin")).occurrences);
    });
    await turn(async () => seen.push((await open().grep("pin")).matches?.length));
    expect(seen).toEqual([[["/a.md", 4103]], 1, 1, 1]);
  });

  test("are kept once, whatever refers to them", async () => {
    const store = new MemoryBackend();
    const backend = new StateBackend({ content: { backend: store } });
    const turn = threadOver(filesValue());
    await turn(async () => {
      await backend.write("/a.md", KILOBYTES_4);
      await backend.copy("/a.md", "/b.md");
      await backend.write("/c.md", KILOBYTES_4);
    });
    expect((await store.glob("**")).files).toHaveLength(1);
  });

  test("that cannot be fetched are an error that says so", async () => {
    const store = new MemoryBackend();
    const turn = threadOver(filesValue());
    await turn(() => new StateBackend({ content: { backend: store } }).write("/a.md", KILOBYTES_4));
    await store.delete("/blobs");
    const seen: unknown[] = [];
    await turn(async () => {
      seen.push(await new StateBackend({ content: { backend: store } }).read("/a.md"));
      seen.push(await new StateBackend().read("/a.md"));
    });
    expect(seen).toEqual([
      { error: expect.stringContaining("could not be fetched") as string, code: "unavailable" },
      { error: expect.stringContaining("give the backend") as string, code: "unavailable" },
    ]);
  });

  test("stay in the state over a field that would drop the reference", async () => {
    const { stateSchema } = createFilesystemMiddleware();
    const { fields } = stateSchema as unknown as {
      fields: { files: StateSchemaField<never, never> };
    };
    const backend = new StateBackend({ content: { backend: new MemoryBackend() } });
    const files = await threadOver(fields.files)(() => backend.write("/a.md", KILOBYTES_4));
    expect(files["/a.md"]?.content).toBe(KILOBYTES_4);
  });

  test("of parallel edits are all kept", async () => {
    const backend = new StateBackend({ content: { backend: new MemoryBackend(), from: 1 } });
    const other = new StateBackend({ content: { backend: new MemoryBackend(), from: 100_000 } });
    const turn = threadOver(filesValue());
    const files = await turn(async () => {
      await backend.write("/a.md", "1 2 3 4 5 6");
      const edits = await Promise.all(
        ["1", "2", "3", "4", "5", "6"].map((digit) => backend.edit("/a.md", digit, `${digit}!`)),
      );
      expect(edits.every(({ error }) => error === undefined)).toBe(true);
      expect((await backend.read("/a.md")).content).toBe("1! 2! 3! 4! 5! 6!");
      expect((await other.read("/a.md")).code).toBe("unavailable");
    });
    expect(files["/a.md"]?.reference).toBeDefined();
  });
});
