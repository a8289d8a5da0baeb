import { createHash } from "node:crypto";
import { MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph";
import {
  filesReducedValue,
  filesValue,
  StateBackend,
  type FilesInput,
  type FilesRecord,
} from "@fs/state";
import { describe, expect, test } from "vitest";

const thread = { configurable: { thread_id: "1" } };

describe.each([
  { name: "delta channel", field: filesValue({ snapshotFrequency: 3 }) },
  { name: "ordinary reducer", field: filesReducedValue() },
])("a thread over the $name", ({ field }) => {
  const schema = new StateSchema({ files: field });

  /** A graph of one node that does what it is told for this turn. */
  function graphOf(checkpointer = new MemorySaver()) {
    const files = new StateBackend();
    let work: (files: StateBackend) => Promise<unknown> = async () => undefined;
    const graph = new StateGraph(schema)
      .addNode("work", async () => {
        await work(files);
        return {};
      })
      .addEdge(START, "work")
      .compile({ checkpointer });
    const turn = async (next: typeof work, input: { files?: FilesInput } = {}) => {
      work = next;
      await graph.invoke(input, thread);
      return (await graph.getState(thread)).values.files;
    };
    return { graph, files, turn };
  }

  test("keeps files over many turns and snapshots, and every checkpoint shows its own", async () => {
    const { graph, turn } = graphOf();
    for (let n = 1; n <= 8; n++) {
      await turn(async (files) => {
        await files.write(`/${n}.txt`, `file ${n}`);
        await files.edit(
          "/1.txt",
          /\d+$/.exec(await textAt(files, "/1.txt"))?.[0] ?? "",
          String(n),
        );
        if (n % 3 === 0) await files.delete(`/${n - 1}.txt`);
      });
    }
    const state = await graph.getState(thread);
    expect(contents(state.values.files)).toEqual({
      "/1.txt": "file 8",
      "/3.txt": "file 3",
      "/4.txt": "file 4",
      "/6.txt": "file 6",
      "/7.txt": "file 7",
      "/8.txt": "file 8",
    });
    const history = [];
    for await (const past of graph.getStateHistory(thread)) history.push(past);
    const ends = history.filter(({ next }) => next.length === 0).toReversed();
    expect(ends.map(({ values }) => contents(values.files)["/1.txt"])).toEqual(
      Array.from({ length: 8 }, (_, n) => `file ${n + 1}`),
    );
  });

  test("can be forked from an earlier checkpoint, and updated by hand", async () => {
    const { graph, turn } = graphOf();
    await turn((files) => files.write("/a.txt", "one"));
    const early = await graph.getState(thread);
    await turn((files) => files.edit("/a.txt", "one", "two"));
    const fork = await graph.updateState(early.config, {
      files: { "/b.txt": { content: "by hand", mimeType: "text/plain" } },
    });
    expect(contents((await graph.getState(fork)).values.files)).toEqual({
      "/a.txt": "one",
      "/b.txt": "by hand",
    });
    await turn(async (files) => {
      expect(await files.edit("/a.txt", "one", "forked")).toMatchObject({ occurrences: 1 });
      await files.delete("/b.txt");
    });
    expect(contents((await graph.getState(thread)).values.files)).toEqual({ "/a.txt": "forked" });
  });

  test("a replay from an earlier checkpoint does the work again", async () => {
    const { graph, turn } = graphOf();
    await turn((files) => files.write("/a.txt", "one"));
    await turn((files) => files.edit("/a.txt", "one", "two"));
    const history = [];
    for await (const past of graph.getStateHistory(thread)) history.push(past);
    const before = history.find(({ next }) => next.includes("work"));
    if (before === undefined) throw new Error("There is no checkpoint before the last work.");
    const replayed = await graph.invoke(null, before.config);
    expect(contents(replayed.files)).toEqual({ "/a.txt": "two" });
  });

  test("merges plain records from the input, and removes what is null", async () => {
    const { turn } = graphOf();
    const seen: unknown[] = [];
    await turn((files) => files.write("/kept.txt", "kept"));
    const files = await turn(
      async (backend) =>
        seen.push(await textAt(backend, "/given.txt"), await textAt(backend, "/lines.txt")),
      {
        files: {
          "/given.txt": { content: "given", mimeType: "text/plain" },
          "/lines.txt": { content: ["two", "lines"] },
        },
      },
    );
    expect(seen).toEqual(["given", "two\nlines"]);
    expect(Object.keys(files)).toEqual(["/kept.txt", "/given.txt", "/lines.txt"]);
    expect(
      Object.keys(await turn(async () => undefined, { files: { "/kept.txt": null } })),
    ).toEqual(["/given.txt", "/lines.txt"]);
  });

  test("refuses input that holds no files", async () => {
    const { turn } = graphOf();
    const files = { "/a.txt": "no file" } as unknown as FilesInput;
    await expect(turn(async () => undefined, { files })).rejects.toThrow("files must be");
  });

  test("an older copy of a file does not undo what happened since", async () => {
    const { turn } = graphOf();
    const copy = await turn((files) => files.write("/a.txt", "one"));
    await turn((files) => files.edit("/a.txt", "one", "two"));
    expect(contents(await turn(async () => undefined, { files: { ...copy } }))).toEqual({
      "/a.txt": "two",
    });
  });

  test("upgrades a file of lines with the next change of it", async () => {
    const { turn } = graphOf();
    const times = {
      created_at: "2020-01-01T00:00:00.000Z",
      modified_at: "2020-01-02T00:00:00.000Z",
    };
    const files = await turn((backend) => backend.edit("/a.md", "two", "2"), {
      files: { "/a.md": { content: ["one", "two", ""], ...times } },
    });
    expect(files["/a.md"]).toEqual({
      content: "one\n2\n",
      mimeType: "text/markdown",
      created_at: times.created_at,
      modified_at: expect.any(String) as string,
    });
  });

  test("gives bytes back as they were, after a checkpoint too", async () => {
    const { graph, turn } = graphOf();
    const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => (n * 31) % 256);
    const files = await turn((backend) => backend.uploadFiles([["/a.png", bytes]]));
    expect(files["/a.png"]).toMatchObject({ encoding: "base64", mimeType: "image/png" });
    const hashes: unknown[] = [];
    await turn(async (backend) => {
      const { content, mimeType } = await backend.read("/a.png");
      hashes.push(mimeType, hashOf(content));
      const [downloaded] = await backend.downloadFiles(["/a.png"]);
      hashes.push(hashOf(downloaded?.content));
      hashes.push((await backend.ls("/")).files?.[0]?.size);
    });
    expect(hashes).toEqual(["image/png", hashOf(bytes), hashOf(bytes), bytes.length]);
    expect(JSON.stringify((await graph.getState(thread)).values.files).length).toBeLessThan(
      bytes.length * 1.4,
    );
  });

  test("takes along what was staged outside, once", async () => {
    const { files, turn } = graphOf();
    expect(await files.write("/seed.txt", "seed")).toMatchObject({ path: "/seed.txt" });
    expect(await files.edit("/seed.txt", "seed", "sown")).toMatchObject({ occurrences: 1 });
    expect((await files.read("/seed.txt")).content).toBe("sown");
    expect(await files.grep("sown")).toMatchObject({ matches: [{ path: "/seed.txt", line: 1 }] });
    const first = await turn((backend) => backend.ls("/"));
    expect(contents(first)).toEqual({ "/seed.txt": "sown" });
    expect((await files.ls("/")).files).toEqual([]);
    await turn((backend) => backend.delete("/seed.txt"));
    expect(contents(await turn((backend) => backend.ls("/")))).toEqual({});
  });
});

describe("bytes that others left", () => {
  test.each([
    ["a typed array", Uint8Array.of(0, 255, 7)],
    ["a Buffer through JSON", JSON.parse(JSON.stringify(Buffer.from([0, 255, 7]))) as unknown],
    ["a typed array through JSON", JSON.parse(JSON.stringify(Uint8Array.of(0, 255, 7))) as unknown],
    ["base64 whose mark a schema dropped", "AP8H"],
  ])("%s", async (_, content) => {
    const files = new StateBackend();
    const seen: unknown[] = [];
    const graph = new StateGraph(new StateSchema({ files: filesValue() }))
      .addNode("work", async () => {
        seen.push((await files.read("/a.png")).content);
        return {};
      })
      .addEdge(START, "work")
      .compile();
    await graph.invoke({ files: { "/a.png": { content, mimeType: "image/png" } } });
    expect(seen).toEqual([Uint8Array.of(0, 255, 7)]);
  });
});

test("a graph without the field is told what to add", async () => {
  const files = new StateBackend();
  const seen: unknown[] = [];
  const graph = new StateGraph(new StateSchema({ other: filesValue() }))
    .addNode("work", async () => {
      seen.push(await files.write("/a.txt", "x"));
      return {};
    })
    .addEdge(START, "work")
    .compile();
  await graph.invoke({});
  expect(seen).toEqual([
    { error: expect.stringContaining("filesSchema") as string, code: "unsupported" },
  ]);
});

function hashOf(content: unknown): string {
  if (!(content instanceof Uint8Array)) throw new TypeError("The content is no bytes.");
  return createHash("sha1").update(content).digest("hex");
}

async function textAt(files: StateBackend, path: string): Promise<string> {
  const { content } = await files.read(path);
  return typeof content === "string" ? content : "";
}

function contents(files: FilesRecord): Record<string, unknown> {
  return Object.fromEntries(Object.entries(files).map(([path, { content }]) => [path, content]));
}
