import { MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { filesValue, StateBackend, type FilesRecord } from "@fs/state";
import { describe, expect, test } from "vitest";

const thread = { configurable: { thread_id: "1" } };
const KILOBYTES_4 = "lorem ipsum dolor sit amet, consectetur\n".repeat(103).slice(0, 4096);

/** Counts the bytes that a saver serialises, all channels and writes together. */
class CountingSaver extends MemorySaver {
  bytes = 0;

  constructor() {
    super();
    const dump = this.serde.dumpsTyped.bind(this.serde);
    this.serde.dumpsTyped = async (value: unknown) => {
      const dumped = await dump(value);
      this.bytes += dumped[1].length;
      return dumped;
    };
  }
}

function seed(count: number): FilesRecord {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `/d${n % 10}/f${n}.md`,
      { content: `${n} ${KILOBYTES_4}`, mimeType: "text/markdown" },
    ]),
  );
}

/** Bytes serialised in a turn of a graph with so many files. */
async function bytesOfTurn(
  count: number,
  work: (files: StateBackend) => Promise<unknown>,
): Promise<number> {
  const saver = new CountingSaver();
  const files = new StateBackend();
  let next: typeof work = async () => undefined;
  const graph = new StateGraph(new StateSchema({ files: filesValue() }))
    .addNode("work", async () => {
      await next(files);
      return {};
    })
    .addEdge(START, "work")
    .compile({ checkpointer: saver });
  await graph.invoke({ files: seed(count) }, thread);
  next = work;
  saver.bytes = 0;
  await graph.invoke({ files: {} }, thread);
  return saver.bytes;
}

/** What the three checkpoints of such a turn take without any file. */
async function bare(count: number): Promise<number> {
  return bytesOfTurn(count, async () => undefined);
}

describe("a turn's checkpoints", () => {
  test("grow by a written file, whatever else there is", async () => {
    const write = (files: StateBackend) => files.write("/d1/new.md", KILOBYTES_4);
    const small = await bytesOfTurn(10, write);
    expect(await bytesOfTurn(2000, write)).toBe(small);
    expect(small - (await bare(10))).toBeLessThan(2 * 4096 + 2000);
  });

  test("grow by an edit, not by the file it edits", async () => {
    const grown = await bytesOfTurn(10, (files) => files.edit("/d1/f1.md", "1 lorem", "2 lorem"));
    expect(grown - (await bare(10))).toBeLessThan(1000);
  });

  test("grow by little when a directory goes or nothing changes", async () => {
    const removed = await bytesOfTurn(2000, (files) => files.delete("/d1"));
    expect(removed - (await bare(10))).toBeLessThan(1000);
    const looked = await bytesOfTurn(2000, async (files) => {
      await files.ls("/");
      await files.edit("/d1/f1.md", "lorem", "lorem", true);
      await files.write("/d1/f1.md", "refused");
    });
    expect(looked).toBe(await bare(2000));
  });

  test("hold bytes as base64, once", async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, n) => (n * 97) % 256);
    const grown = await bytesOfTurn(10, (files) => files.uploadFiles([["/a.png", bytes]]));
    expect(grown - (await bare(10))).toBeLessThan(1.4 * bytes.length);
  });

  test("are sent in one update, however many changes a task makes", async () => {
    const count = 200;
    const grown = await bytesOfTurn(10, async (files) => {
      for (let n = 0; n < count; n++) await files.write(`/n${n}.txt`, "x");
    });
    expect(grown / count).toBeLessThan(300);
  });
});
