import {
  Command,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
  StateSchema,
  type BaseCheckpointSaver,
} from "@langchain/langgraph";
import { filesReducedValue, filesValue, StateBackend, type FilesRecord } from "@fs/state";
import { describe, expect, test } from "vitest";

type Node = () => Promise<void>;

/** A graph whose first superstep runs the given nodes side by side, and whose second runs `after`. */
function parallel(
  nodes: Record<string, Node>,
  options: {
    checkpointer?: BaseCheckpointSaver;
    ordinary?: boolean;
    retries?: number;
    after?: Node;
  } = {},
) {
  const schema = new StateSchema({
    files: options.ordinary === true ? filesReducedValue() : filesValue(),
  });
  const graph = new StateGraph(schema).addNode("after", async () => {
    await options.after?.();
    return {};
  });
  const wide = graph as unknown as StateGraph<typeof schema, object, object, string>;
  const retryPolicy = {
    maxAttempts: options.retries ?? 1,
    initialInterval: 1,
    jitter: false,
    logWarning: false,
  };
  for (const [name, node] of Object.entries(nodes)) {
    wide.addNode(
      name,
      async () => {
        await node();
        return {};
      },
      { retryPolicy },
    );
    wide.addEdge(START, name);
  }
  wide.addEdge(Object.keys(nodes), "after");
  return wide.compile({ checkpointer: options.checkpointer ?? new MemorySaver() });
}

function thread(id = "1") {
  return { configurable: { thread_id: id } };
}

/** A promise, and what resolves it. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe.each([{ ordinary: false }, { ordinary: true }])(
  "tasks of one superstep %o",
  ({ ordinary }) => {
    test("see what was acknowledged before, whichever task did it, and end with that history", async () => {
      const files = new StateBackend();
      const written = gate();
      const deleted = gate();
      const seen: unknown[] = [];
      // The task that acts last sorts first by name, so that the order of tasks would give another result.
      const graph = parallel(
        {
          a: async () => {
            await written.opened;
            seen.push(await files.edit("/x.txt", "one", "two"));
            seen.push(await files.delete("/gone.txt"));
            deleted.open();
          },
          b: async () => {
            await files.write("/x.txt", "one");
            await files.write("/gone.txt", "");
            written.open();
            await deleted.opened;
            seen.push(await files.write("/gone.txt", "back"));
            seen.push(await files.edit("/x.txt", "two", "three"));
          },
        },
        { ordinary },
      );
      const state = await graph.invoke({}, thread());
      expect(seen).toMatchObject([
        { path: "/x.txt", occurrences: 1 },
        { path: "/gone.txt" },
        { path: "/gone.txt" },
        { path: "/x.txt", occurrences: 1 },
      ]);
      expect(contents(state.files)).toEqual({ "/x.txt": "three", "/gone.txt": "back" });
      const again = await graph.getState(thread());
      expect(again.values["files"]).toEqual(state.files);
    });

    test("a retried task does not see its dropped attempt, nor does any other", async () => {
      const files = new StateBackend();
      const retried = gate();
      const looked = gate();
      const between: unknown[] = [];
      let attempts = 0;
      const seen: unknown[] = [];
      const graph = parallel(
        {
          a: async () => {
            if (++attempts === 2) {
              retried.open();
              await looked.opened;
            }
            seen.push(await files.write("/a.txt", `attempt ${attempts}`));
            if (attempts === 1) throw new Error("try again");
            seen.push((await files.read("/a.txt")).content);
          },
          b: async () => {
            await retried.opened;
            between.push((await files.ls("/")).files?.length);
            looked.open();
          },
        },
        { ordinary, retries: 2 },
      );
      const state = await graph.invoke({}, thread());
      expect(seen.slice(0, 3)).toMatchObject([{ path: "/a.txt" }, { path: "/a.txt" }, "attempt 2"]);
      expect(between).toEqual([0]);
      expect(contents(state.files)).toEqual({ "/a.txt": "attempt 2" });
    });

    test("an interrupted task does its work again on resumption, beside what others had finished", async () => {
      const checkpointer = new MemorySaver();
      const files = new StateBackend();
      const seen: unknown[] = [];
      let runs = 0;
      const nodes = {
        a: async () => {
          runs++;
          seen.push(await files.write("/a.txt", "asked"));
          const answer: unknown = interrupt("continue?");
          seen.push(await files.edit("/a.txt", "asked", String(answer)));
          seen.push(await files.edit("/b.txt", "b", "b, seen by a"));
        },
        b: async () => {
          seen.push(await files.write("/b.txt", "b"));
        },
      };
      const graph = parallel(nodes, { ordinary, checkpointer });
      await graph.invoke({}, thread());
      seen.length = 0;
      const resumed = parallel(nodes, { ordinary, checkpointer });
      const state = await resumed.invoke(new Command({ resume: "answered" }), thread());
      expect(runs).toBe(2);
      expect(seen).toMatchObject([
        { path: "/a.txt" },
        { path: "/a.txt", occurrences: 1 },
        { path: "/b.txt", occurrences: 1 },
      ]);
      expect(contents(state.files)).toEqual({ "/a.txt": "answered", "/b.txt": "b, seen by a" });
      const stored = await graph.getState(thread());
      expect(stored.values["files"]).toEqual(state.files);
    });

    test("keep what they were acknowledged although another task on which it rests is interrupted", async () => {
      const checkpointer = new MemorySaver();
      const files = new StateBackend();
      const created = gate();
      const edited = gate();
      const graph = parallel(
        {
          a: async () => {
            await files.write("/a.txt", "from a");
            created.open();
            await edited.opened;
            interrupt("continue?");
          },
          b: async () => {
            await created.opened;
            expect(await files.edit("/a.txt", "from a", "from a and b")).toMatchObject({
              path: "/a.txt",
              occurrences: 1,
            });
            edited.open();
          },
        },
        { ordinary, checkpointer },
      );
      await graph.invoke({}, thread());
      const state = await graph.invoke(new Command({ resume: "go on" }), thread());
      expect(contents(state.files)).toEqual({ "/a.txt": "from a and b" });
    });
  },
);

test("a checkpointer that fails when a run is resumed fails the call, and is asked again by the next", async () => {
  class FlakySaver extends MemorySaver {
    broken = false;

    override async getTuple(...parameters: Parameters<MemorySaver["getTuple"]>) {
      if (this.broken) throw new Error("The connection was lost.");
      return super.getTuple(...parameters);
    }
  }
  const checkpointer = new FlakySaver();
  const files = new StateBackend();
  const seen: unknown[] = [];
  const graph = parallel(
    {
      a: async () => {
        const answer: unknown = interrupt("continue?");
        checkpointer.broken = true;
        seen.push((await files.write("/a.txt", String(answer))).code);
        checkpointer.broken = false;
        seen.push((await files.write("/a.txt", String(answer))).code);
      },
    },
    { checkpointer },
  );
  await graph.invoke({}, thread());
  await graph.invoke(new Command({ resume: "answered" }), thread());
  expect(seen).toEqual(["unavailable", undefined]);
});

function contents(files: FilesRecord) {
  return Object.fromEntries(Object.entries(files).map(([path, { content }]) => [path, content]));
}
