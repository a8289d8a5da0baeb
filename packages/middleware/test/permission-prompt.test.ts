import { createFilesystemMiddleware, type FilesystemInterrupt } from "@fs/middleware";
import { MemoryBackend, type PermissionRequest } from "@fs/protocol";
import { HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { askHuman } from "../src/permission-prompt.js";
import { ScriptedModel } from "./support/scripted-model.js";

const asked: FilesystemInterrupt[] = [];
/** Answers the questions of a test that calls `askHuman` outside of a graph. */
let answers: Array<(question: FilesystemInterrupt) => unknown> | undefined;
beforeEach(() => {
  asked.length = 0;
  answers = undefined;
});

vi.mock("@langchain/langgraph", async (load) => {
  const real = await load<{ interrupt: (question: unknown) => unknown }>();
  const interrupt = (question: FilesystemInterrupt): unknown => {
    asked.push(question);
    return answers === undefined ? real.interrupt(question) : answers.shift()?.(question);
  };
  return { ...real, interrupt };
});

const removal: PermissionRequest = {
  method: "delete",
  operation: "delete",
  path: "/d",
  below: ["/d/a.md", "/d/b.md"],
};

/** Asks with these answers, each made of the question. */
function decided(
  request: PermissionRequest,
  ...given: ReadonlyArray<(question: FilesystemInterrupt) => unknown>
): unknown {
  answers = [...given];
  return askHuman(request);
}

describe("a question about the files of a directory", () => {
  const digestFor = (request: PermissionRequest): string | undefined => {
    decided(request, () => false);
    return asked.at(-1)?.digest;
  };

  it("names them by its digest, in whichever order", () => {
    const digest = digestFor(removal);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(digestFor({ ...removal, below: ["/d/b.md", "/d/a.md"] })).toBe(digest);
    const others: PermissionRequest[] = [
      { ...removal, below: ["/d/a.md", "/d/b.md", "/d/c.md"] },
      { ...removal, path: "/e" },
      { ...removal, method: "move" },
      { ...removal, operation: "write" },
      { ...removal, command: "rm -r /d" },
      { method: "delete", operation: "delete", path: "/d" },
    ];
    expect(new Set([digest, ...others.map(digestFor)]).size).toBe(7);
  });

  it.each([
    (digest: string) => ({ type: "approve", digest }),
    (digest: string) => ({ decisions: [{ type: "approve" }], digest }),
    (digest: string) => ({ decisions: [{ type: "approve", digest }] }),
  ])("is asked again where the answer is about other files (%#)", (approval) => {
    const fewer = digestFor({ ...removal, below: ["/d/b.md"] }) ?? "";
    asked.length = 0;
    const again = decided(
      removal,
      () => approval(fewer),
      () => approval(fewer),
      () => false,
    );
    expect(again).toBe(false);
    expect(asked.map(({ problem }) => problem !== undefined)).toEqual([false, true, true]);
    expect(asked.at(-1)).toMatchObject(removal);
    expect(decided(removal, ({ digest }) => approval(digest))).toBe(true);
  });

  it("is asked again where a rejection is about other files, too", () => {
    const reject = () => ({ type: "reject", digest: "other" });
    expect(decided(removal, reject, ({ digest }) => ({ type: "reject", digest }))).toBe(false);
    expect(asked).toHaveLength(2);
  });
});

it("a run is paused again where the answer repeats another digest", async () => {
  const backend = new MemoryBackend();
  const call = { name: "write_file", args: { file_path: "/plan.md", content: "new" } };
  const agent = createAgent({
    model: new ScriptedModel([() => [call], () => "finished"]),
    checkpointer: new MemorySaver(),
    middleware: [
      createFilesystemMiddleware({
        backend,
        permissions: [{ operations: ["write"], paths: ["/plan.md"], mode: "interrupt" }],
      }),
    ],
  });
  const config = { configurable: { thread_id: "t" } };
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const other = { type: "approve", digest: "of another call" };
  const again = await agent.invoke(new Command({ resume: other }), config);
  expect(again).toHaveProperty("__interrupt__.0.value.problem", expect.any(String));
  expect((await backend.read("/plan.md")).code).toBe("not_found");
  const digest = asked.at(-1)?.digest;
  const done = await agent.invoke(new Command({ resume: { type: "approve", digest } }), config);
  expect(done.messages.at(-1)?.text).toBe("finished");
  expect((await backend.read("/plan.md")).content).toBe("new");
});
