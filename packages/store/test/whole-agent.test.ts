import { createFilesystemMiddleware } from "@fs/middleware";
import type { BackendProtocolV2 } from "@fs/protocol";
import { filesChanged, filesSchema, StateBackend, type FilesRecord } from "@fs/state";
import { StoreBackend } from "@fs/store";
import {
  Command,
  InMemoryStore,
  MemorySaver,
  START,
  StateGraph,
  type BaseStore,
} from "@langchain/langgraph";
import {
  AIMessage,
  createAgent,
  fakeModel,
  tool,
  ToolMessage,
  type StructuredTool,
} from "langchain";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod/v4";

interface Side {
  readonly backend: BackendProtocolV2;
  readonly store: BaseStore;
  /** What the files hold now, by path, as somebody sees them who has the state of the thread and the store. */
  contents(state: { files?: FilesRecord }): Promise<Record<string, unknown>>;
}

function stateSide(): Side {
  return {
    backend: new StateBackend(),
    store: new InMemoryStore(),
    contents: async ({ files = {} }) =>
      Object.fromEntries(Object.entries(files).map(([path, { content }]) => [path, content])),
  };
}

function storeSide(): Side {
  const store = new InMemoryStore();
  return {
    // Inside the graph it finds the running graph's store by itself.
    backend: new StoreBackend({ namespace: ["team"] }),
    store,
    contents: async () => {
      const outside = new StoreBackend({ store, namespace: ["team"] });
      const { files = [] } = await outside.glob("**");
      const read = files.map(
        async ({ path }) => [path, (await outside.read(path)).content] as const,
      );
      return Object.fromEntries(await Promise.all(read));
    },
  };
}

const thread = { configurable: { thread_id: "1" } };
const go = { messages: [{ role: "user", content: "go" }] };

let calls = 0;
const call = (name: string, args: Record<string, unknown>) => ({
  name,
  args,
  id: `${name}-${++calls}`,
  type: "tool_call" as const,
});
const write = (file_path: string, content: string) => call("write_file", { file_path, content });
const edit = (file_path: string, old_string: string, new_string: string) =>
  call("edit_file", { file_path, old_string, new_string });

/** Stable codes of the calls that failed, in the order of the messages. */
function failures(messages: readonly unknown[]): unknown[] {
  return messages
    .filter((message) => ToolMessage.isInstance(message))
    .filter(({ status }) => status === "error")
    .map(({ artifact }) => (artifact as { code?: string } | undefined)?.code);
}

/** A tool that has a subagent work on the same files. */
function taskTool({ backend }: Side): StructuredTool {
  const subagent = createAgent({
    model: fakeModel()
      .respondWithTools([call("read_file", { file_path: "/plan.md" })])
      .respondWithTools([edit("/plan.md", "four", "4"), write("/report.md", "reported")])
      .respond(new AIMessage("worked")),
    middleware: [createFilesystemMiddleware({ backend })],
  });
  return tool(
    async (_: object, runtime: { state: { files: FilesRecord }; toolCallId: string }) => {
      const before = runtime.state.files;
      const { files } = await subagent.invoke({ ...go, files: before });
      const messages = [{ role: "tool", content: "worked", tool_call_id: runtime.toolCallId }];
      return new Command({ update: { files: filesChanged(before, files), messages } });
    },
    { name: "task", description: "Delegates.", schema: z.object({}) },
  );
}

describe.each([
  ["state", stateSide],
  ["a store", storeSide],
])("an agent over %s", (kind, make) => {
  let side: Side;
  beforeEach(() => {
    side = make();
  });

  test("edits and creates in parallel, delegates, waits for a human and goes on", async () => {
    const agent = createAgent({
      model: fakeModel()
        .respondWithTools([write("/plan.md", "one two three four five")])
        .respondWithTools([
          edit("/plan.md", "one", "1"),
          edit("/plan.md", "two", "2"),
          edit("/plan.md", "three", "3"),
        ])
        .respondWithTools([write("/race.md", "first"), write("/race.md", "second")])
        .respondWithTools([call("task", {})])
        .respondWithTools([
          edit("/plan.md", "five", "5"),
          write("/guarded/final.md", "approved"),
          write("/beside.md", "done once"),
        ])
        .respond(new AIMessage("done"))
        .respondWithTools([write("/next.md", "next turn")])
        .respond(new AIMessage("done")),
      tools: [taskTool(side)],
      middleware: [
        createFilesystemMiddleware({
          backend: side.backend,
          permissions: [{ operations: ["write"], paths: ["/guarded/**"], mode: "interrupt" }],
        }),
      ],
      checkpointer: new MemorySaver(),
      store: side.store,
    });
    const paused = await agent.invoke(go, thread);
    expect(paused).toHaveProperty("__interrupt__.0.value", {
      type: "filesystem_permission",
      method: "write",
      operation: "write",
      path: "/guarded/final.md",
      digest: expect.any(String),
    });
    expect(await side.contents(paused)).not.toHaveProperty("/guarded/final.md");

    const resumed = await agent.invoke(new Command({ resume: true }), thread);
    expect(failures(resumed.messages)).toEqual(["already_exists"]);
    const after = {
      "/plan.md": "1 2 3 4 5",
      "/race.md": "first",
      "/report.md": "reported",
      "/guarded/final.md": "approved",
      "/beside.md": "done once",
    };
    expect(await side.contents(resumed)).toEqual(after);

    const next = await agent.invoke(go, thread);
    expect(await side.contents(next)).toEqual({ ...after, "/next.md": "next turn" });
  });

  test("is retried: what it kept in the state is not seen again, what it kept in a store is", async () => {
    const model = fakeModel();
    for (const _ of [1, 2])
      model
        .respondWithTools([write("/a.md", "attempt")])
        .respondWithTools([edit("/a.md", "attempt", "done")])
        .respond(new AIMessage("done"));
    const agent = createAgent({
      model,
      middleware: [createFilesystemMiddleware({ backend: side.backend })],
    });
    const codes: unknown[][] = [];
    const graph = new StateGraph(filesSchema)
      .addNode(
        "work",
        async ({ files }) => {
          const result = await agent.invoke({ ...go, files });
          codes.push(failures(result.messages));
          if (codes.length === 1) throw new Error("The connection was lost.");
          return { files: filesChanged(files, result.files) };
        },
        { retryPolicy: { maxAttempts: 2, initialInterval: 1, jitter: false, logWarning: false } },
      )
      .addEdge(START, "work")
      .compile({ checkpointer: new MemorySaver(), store: side.store });
    const result = await graph.invoke({ files: {} }, thread);
    expect(codes).toEqual(kind === "state" ? [[], []] : [[], ["already_exists", "conflict"]]);
    expect(await side.contents(result)).toEqual({ "/a.md": "done" });
  });
});
