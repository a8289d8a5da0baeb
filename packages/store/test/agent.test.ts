import { StoreBackend } from "@fs/store";
import {
  Command,
  InMemoryStore,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { filesSchema } from "@fs/state";
import { createDeepAgent } from "deepagents";
import { AIMessage, fakeModel } from "langchain";
import { describe, expect, test } from "vitest";

let calls = 0;

function call(name: string, args: Record<string, unknown>) {
  return { name, args, id: `${name}-${++calls}`, type: "tool_call" as const };
}

const edit = (old_string: string, new_string: string) =>
  call("edit_file", { file_path: "/a.txt", old_string, new_string });

describe("an agent over a store", () => {
  test("loses nothing of parallel calls, its own and those of a subagent", async () => {
    const store = new InMemoryStore();
    const backend = new StoreBackend({ namespace: ["team"] });
    const agent = createDeepAgent({
      model: fakeModel()
        .respondWithTools([
          call("write_file", { file_path: "/a.txt", content: "one two three four" }),
        ])
        .respondWithTools([edit("one", "1"), edit("two", "2"), edit("three", "3")])
        .respondWithTools([
          call("write_file", { file_path: "/b.txt", content: "first" }),
          call("write_file", { file_path: "/b.txt", content: "second" }),
        ])
        .respondWithTools([call("task", { description: "work", subagent_type: "worker" })])
        .respond(new AIMessage("done")),
      backend,
      store,
      checkpointer: new MemorySaver(),
      subagents: [
        {
          name: "worker",
          description: "Works.",
          systemPrompt: "Work.",
          model: fakeModel()
            .respondWithTools([edit("four", "4")])
            .respond(new AIMessage("worked")),
        },
      ],
    });
    const go = { messages: [{ role: "user", content: "go" }] };
    await agent.invoke(go, { configurable: { thread_id: "1" } });
    const outside = new StoreBackend({ store, namespace: ["team"] });
    expect((await outside.read("/a.txt")).content).toBe("1 2 3 4");
    expect(["first", "second"]).toContain((await outside.read("/b.txt")).content);
  });

  test("finds what an interrupted or retried task had stored: a store keeps it at once", async () => {
    const store = new InMemoryStore();
    const backend = new StoreBackend({ namespace: ["team"] });
    const seen: unknown[] = [];
    let attempts = 0;
    const graph = new StateGraph(filesSchema)
      .addNode(
        "work",
        async () => {
          seen.push((await backend.write("/a.txt", "asked")).code);
          if (++attempts === 1) throw new Error("try again");
          const answer: unknown = interrupt("continue?");
          seen.push((await backend.edit("/a.txt", "asked", String(answer))).occurrences);
          return {};
        },
        { retryPolicy: { maxAttempts: 2, initialInterval: 1, jitter: false, logWarning: false } },
      )
      .addEdge(START, "work")
      .compile({ checkpointer: new MemorySaver(), store });
    const thread = { configurable: { thread_id: "1" } };
    await graph.invoke({ files: {} }, thread);
    await graph.invoke(new Command({ resume: "answered" }), thread);
    expect(seen).toEqual([undefined, "already_exists", "already_exists", 1]);
    const outside = new StoreBackend({ store, namespace: ["team"] });
    expect((await outside.read("/a.txt")).content).toBe("answered");
  });
});
