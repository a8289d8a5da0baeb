import { createDeepAgent } from "@fs/agent";
import { ReducedValue, StateSchema } from "@langchain/langgraph";
import { type AgentMiddleware, createMiddleware, modelCallLimitMiddleware, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { results, say } from "./support/results.js";
import { ScriptedModel, task } from "./support/scripted-model.js";

const worker = (model: ScriptedModel, more: object = {}) => ({
  name: "worker",
  description: "Works.",
  model,
  ...more,
});

describe("H9: the border", () => {
  const marks = z.array(z.string());
  const state = new StateSchema({
    marks: new ReducedValue(
      marks.default(() => []),
      {
        inputSchema: marks.default(() => []),
        reducer: (current: string[], more: string[]) => [...current, ...more],
      },
    ),
    last: z.string().default("none"),
  });
  const marking = (mark: string) =>
    createMiddleware({
      name: "marking",
      stateSchema: state,
      beforeAgent: () => ({ marks: [mark], last: mark }),
    });

  test("channels that merge come back once, others stay apart and cannot clash", async () => {
    const model = new ScriptedModel([[task("a"), task("b")], "done"]);
    const sub = (name: string) => ({
      name,
      description: "Works.",
      model: new ScriptedModel([]),
      middleware: [marking(name)],
    });
    const agent = createDeepAgent({
      model,
      middleware: [marking("main")],
      subagents: [sub("a"), sub("b")],
    });
    const result = await agent.invoke(say("go"));
    expect(result.marks.toSorted()).toEqual(["a", "b", "main"]);
    expect(result.last).toBe("main");
  });

  type Fields = Record<string, unknown>;
  type Items = ReadonlyArray<{ id: string; n: number }>;
  const added = (current: Fields, more: Fields) =>
    Object.fromEntries(
      [...new Set([...Object.keys(current), ...Object.keys(more)])].map((name) => [
        name,
        Number(current[name] ?? 0) + Number(more[name] ?? 0),
      ]),
    );
  const nested = (current: Fields, more: Fields) =>
    Object.fromEntries(
      Object.keys({ ...current, ...more }).map((name) => [
        name,
        { ...(current[name] as Fields | undefined), ...(more[name] as Fields | undefined) },
      ]),
    );
  const without = (current: Fields, more: Fields) =>
    Object.fromEntries(
      Object.entries({ ...current, ...more }).filter(([, value]) => value !== null),
    );
  const byId = (current: Items, more: Items) => [
    ...new Map([...current, ...more].map((item) => [item.id, item])).values(),
  ];

  test.each([
    [
      "a record",
      (current: Fields, more: Fields) => ({ ...current, ...more }),
      { a: 0, b: 0 },
      (name: string) => ({ [name]: 1 }),
      { a: 1, b: 1 },
    ],
    ["a record of sums", added, { a: 5, b: 5 }, (name: string) => ({ [name]: 1 }), { a: 6, b: 6 }],
    [
      "a record of records",
      nested,
      { x: { a: 0, b: 0 } },
      (name: string) => ({ x: { [name]: 1 } }),
      { x: { a: 1, b: 1 } },
    ],
    [
      "a record with removals",
      without,
      { a: 0, b: 0, c: 0 },
      (name: string) => ({ [name]: null }),
      { c: 0 },
    ],
    [
      "a list of items with ids",
      byId,
      [
        { id: "a", n: 0 },
        { id: "b", n: 0 },
      ],
      (id: string) => [{ id, n: 1 }],
      [
        { id: "a", n: 1 },
        { id: "b", n: 1 },
      ],
    ],
    ["a sum", (current: number, more: number) => current + more, 5, () => 1, 7],
    ["the largest", Math.max, 5, (name: string) => (name === "a" ? 8 : 7), 8],
  ] as ReadonlyArray<
    readonly [
      string,
      (current: never, more: never) => unknown,
      unknown,
      (name: string) => unknown,
      unknown,
    ]
  >)(
    "parallel subagents do not undo each other in %s",
    async (_what, reducer, start, own, merged) => {
      const empty = Array.isArray(start) ? [] : typeof start === "number" ? 0 : {};
      const value = z.custom<unknown>().default(() => empty);
      const shared = new StateSchema({
        shared: new ReducedValue(value, {
          inputSchema: value,
          reducer: (current, more) => reducer(current as never, more as never),
        }),
      });
      const setting = (update: unknown) =>
        createMiddleware({
          name: "setting",
          stateSchema: shared,
          beforeAgent: () => ({ shared: update }),
        });
      const sub = (name: string) => ({
        name,
        description: "Works.",
        model: new ScriptedModel([]),
        middleware: [setting(own(name))],
      });
      const agent = createDeepAgent({
        model: new ScriptedModel([[task("a"), task("b")], "done"]),
        middleware: [setting(start)],
        subagents: [sub("a"), sub("b")],
      });
      const result = (await agent.invoke(say("go"))) as unknown as { shared: unknown };
      expect(result.shared).toEqual(merged);
    },
  );

  test("call limits in the agent and in parallel subagents count for themselves", async () => {
    const limit = () =>
      Reflect.apply(modelCallLimitMiddleware, undefined, [{ runLimit: 3 }]) as AgentMiddleware;
    const model = new ScriptedModel([[task("worker"), task("worker"), task("worker")], "done"]);
    const child = new ScriptedModel(() => "report");
    const agent = createDeepAgent({
      model,
      middleware: [limit()],
      subagents: [worker(child, { middleware: [limit()] })],
    });
    const { messages } = await agent.invoke(say("go"));
    expect(results(messages, "task").map(({ text }) => text)).toEqual([
      "report",
      "report",
      "report",
    ]);
    expect(messages.at(-1)?.text).toBe("done");
  });

  test("context reaches a subagent's tools", async () => {
    const seen: unknown[] = [];
    const look = tool(
      (_args, runtime: { context: unknown }) => {
        seen.push(runtime.context);
        return "ok";
      },
      { name: "look", description: "Looks.", schema: z.object({}) },
    );
    const agent = createDeepAgent({
      model: new ScriptedModel([[task("worker")], "done"]),
      contextSchema: z.object({ user: z.string() }),
      subagents: [
        worker(new ScriptedModel([[{ name: "look", args: {} }], "ok"]), { tools: [look] }),
      ],
    });
    await agent.invoke(say("go"), { context: { user: "ada" } });
    expect(seen).toEqual([{ user: "ada" }]);
  });
});
