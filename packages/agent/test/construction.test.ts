import {
  ConfigurationError,
  createApprovalMiddleware,
  createDeepAgent,
  createMemoryMiddleware,
  createSkillsMiddleware,
  createSubAgentMiddleware,
  createSummarizationMiddleware,
} from "@fs/agent";
import { MemoryBackend } from "@fs/protocol";
import { LocalShellBackend } from "@fs/shell";
import { MemorySaver } from "@langchain/langgraph";
import { createMiddleware, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { recorded } from "./support/recorded.js";
import { inThread, say } from "./support/results.js";
import { ScriptedModel } from "./support/scripted-model.js";

const named = (name: string) =>
  tool(() => "ok", { name, description: "A tool.", schema: z.object({}) });
const sub = (more: object) => ({ name: "worker", description: "Works.", ...more });

describe("H1: wrong options throw at construction and name the option", () => {
  const refused: Array<[string, object, RegExp]> = [
    ["an unknown option", { subagentz: [] }, /subagentz/],
    ["an unknown prompt part", { prompts: { intro: "x" } }, /intro/],
    ["a tool with a built-in's name", { tools: [named("grep")] }, /grep/],
    ["a tool named task", { tools: [named("task")] }, /task/],
    ["a tool named write_todos", { tools: [named("write_todos")] }, /write_todos/],
    ["two tools of one name", { tools: [named("a"), named("a")] }, /'tools'.*a/],
    [
      "a tool of a middleware with a built-in's name",
      { middleware: [createMiddleware({ name: "m", tools: [named("ls")] })] },
      /ls/,
    ],
    [
      "two middlewares of one name",
      { middleware: [createMiddleware({ name: "m" }), createMiddleware({ name: "m" })] },
      /'m' more than once/,
    ],
    [
      "two subagents of one name",
      { subagents: [sub({}), sub({})] },
      /Duplicate subagent name 'worker'/,
    ],
    ["an empty subagent name", { subagents: [sub({ name: "" })] }, /name/],
    ["a subagent name with a blank", { subagents: [sub({ name: "a b" })] }, /"a b"/],
    ["a subagent without description", { subagents: [{ name: "worker" }] }, /description/],
    ["an unknown option of a subagent", { subagents: [sub({ toolz: [] })] }, /toolz/],
    ["an unknown mode", { subagents: [sub({ mode: "handoff" })] }, /handoff/],
    ["skills on a fork", { subagents: [sub({ mode: "fork", skills: ["/s/"] })] }, /skills/],
    ["a subagent on another server", { subagents: [sub({ graphId: "g" })] }, /graphId/],
    ["a runnable that cannot run", { subagents: [sub({ runnable: {} })] }, /invoke/],
    [
      "a tool of a subagent with a built-in's name",
      { subagents: [sub({ tools: [named("ls")] })] },
      /ls/,
    ],
    ["approvals for no such tool", { interruptOn: { sned_mail: true } }, /sned_mail/],
    [
      "approvals for no such tool in a subagent",
      { subagents: [sub({ interruptOn: { nope: true } })] },
      /worker.*nope/,
    ],
    ...["backend", "permissions", "otherTools"].map((option): [string, object, RegExp] => [
      `${option} among the options of the filesystem tools`,
      { filesystem: { [option]: [] } },
      new RegExp(`'filesystem' has no option '${option}'`),
    ]),
    ["prompts that are switched off as a whole", { prompts: false }, /'prompts'/],
    ["an unknown option of general-purpose", { generalPurpose: { permission: [] } }, /permission/],
    ["misspelt approvals of general-purpose", { generalPurpose: { interuptOn: {} } }, /interuptOn/],
    [
      "approvals for no such tool in general-purpose",
      { generalPurpose: { interruptOn: { delte: true } } },
      /general-purpose.*delte/,
    ],
    ["a name of general-purpose with a blank", { generalPurpose: { name: "a b" } }, /"a b"/],
    [
      "a name of general-purpose that another has",
      { generalPurpose: { name: "worker" }, subagents: [sub({})] },
      /Duplicate/,
    ],
    [
      "a tool of general-purpose with a built-in's name",
      { generalPurpose: { tools: [named("ls")] } },
      /general-purpose.*ls/,
    ],
    ["general-purpose as a word", { generalPurpose: "none" }, /'generalPurpose'/],
    [
      "general-purpose twice",
      { generalPurpose: { permissions: [] }, subagents: [sub({ name: "general-purpose" })] },
      /'generalPurpose' has no effect/,
    ],
    ["approvals for a tool that is not offered", { interruptOn: { copy_file: true } }, /copy_file/],
    ["approvals as a list", { interruptOn: ["ls"] }, /'interruptOn' must be an object/],
    ["no decision allowed", { interruptOn: { ls: { allowedDecisions: [] } } }, /ls/],
    ["an unknown decision", { interruptOn: { ls: { allowedDecisions: ["maybe"] } } }, /ls/],
    ["a relative skill path", { skills: ["skills/"] }, /skills/],
    ["a skill path with ..", { skills: ["/a/../b"] }, /skills/],
    [
      "a skill path of a subagent with ..",
      { subagents: [sub({ skills: ["../b"] })] },
      /worker.skills/,
    ],
    ["a relative memory path", { memory: ["~/AGENTS.md"] }, /memory/],
    ["a memory path with ..", { memory: ["/a/../AGENTS.md"] }, /memory/],
    ["a negative size", { summarization: { trigger: { type: "tokens", value: -1 } } }, /trigger/],
    ["a share over 1", { summarization: { keep: { type: "fraction", value: 1.5 } } }, /keep/],
    ["an unknown kind of size", { summarization: { keep: { type: "pages", value: 1 } } }, /pages/],
    ["an unknown option of summaries", { summarization: { tirgger: 1 } }, /tirgger/],
    ["a timeout of no time", { summarization: { timeoutMs: 0 } }, /timeoutMs/],
    ["a relative history", { summarization: { historyRoot: "history" } }, /historyRoot/],
    ["a history with ..", { summarization: { historyRoot: "/a/../.." } }, /historyRoot/],
    ["an onError that is no function", { onError: "log" }, /onError/],
    [
      "rules that a shell evades",
      {
        backend: new LocalShellBackend({ rootDir: process.cwd() }),
        permissions: [{ operations: ["read"], paths: ["/secret/**"], mode: "deny" }],
      },
      /execute|shell/,
    ],
  ];
  test.each(refused)("%s", (_what, params, message) => {
    const create = () => createDeepAgent(params as Parameters<typeof createDeepAgent>[0]);
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(message);
  });

  test("names like those of an object's own are names like any other", () => {
    const subagents = [sub({ name: "constructor" }), sub({ name: "toString" })];
    expect(() => createDeepAgent({ model: new ScriptedModel([]), subagents })).not.toThrow();
    expect(() => createDeepAgent({ interruptOn: { constructor: true } })).toThrow(
      ConfigurationError,
    );
  });

  test("what is undefined was not given", () => {
    const params = { model: new ScriptedModel([]), skills: undefined, interruptOn: undefined };
    expect(() => createDeepAgent(params as never)).not.toThrow();
  });

  test("a middleware of its own refuses the same", () => {
    expect(() =>
      createSummarizationMiddleware({ trigger: { type: "fraction", value: 2 } }),
    ).toThrow(ConfigurationError);
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      "memory",
      () => createMemoryMiddleware({ sources: ["/a"], permission: [] } as never),
      /'permission'/,
    ],
    [
      "skills",
      () => createSkillsMiddleware({ sources: ["/a"], permision: [] } as never),
      /'permision'/,
    ],
    ["summarization", () => createSummarizationMiddleware({ pruen: true } as never), /'pruen'/],
    [
      "approvals",
      () => createApprovalMiddleware({ interruptOn: {}, toolName: [] } as never),
      /'toolName'/,
    ],
    [
      "decisions",
      () =>
        createApprovalMiddleware({ interruptOn: { x: { allowedDecisions: ["aprove" as never] } } }),
      /'interruptOn.x'/,
    ],
    ["rules", () => createApprovalMiddleware({} as never), /'interruptOn'/],
    [
      "subagents",
      () => createSubAgentMiddleware({ defaultModel: "x", defaultInteruptOn: {} } as never),
      /'defaultInteruptOn'/,
    ],
    [
      "subagents' tools",
      () => createSubAgentMiddleware({ defaultModel: "x", defaultInterruptOn: { delte: true } }),
      /'delte'/,
    ],
    [
      "a subagent's tools",
      () =>
        createSubAgentMiddleware({
          defaultModel: "x",
          subagents: [sub({ interruptOn: { delte: true } })],
        }),
      /worker.*'delte'/,
    ],
  ])("so do the middlewares, each by itself: %s", (_what, make, message) => {
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });

  test("whatever tool is offered may be gated", () => {
    const model = new ScriptedModel([]);
    const interruptOn = { copy_file: true, stat: true };
    const gated: object[] = [
      { interruptOn },
      { generalPurpose: { interruptOn } },
      { subagents: [sub({ interruptOn })] },
    ];
    for (const more of gated)
      expect(() =>
        createDeepAgent({ model, filesystem: { tools: ["copy_file", "stat"] }, ...more }),
      ).not.toThrow();
    const filesystem = { staging: { approve: true } };
    expect(() => createDeepAgent({ model, filesystem, interruptOn: { diff: true } })).not.toThrow();
    expect(() =>
      createSubAgentMiddleware({ defaultModel: model, defaultInterruptOn: { delete: true } }),
    ).not.toThrow();
  });

  test("a general-purpose fork has the parent's skills without naming them", () => {
    const [model, generalPurpose] = [new ScriptedModel([]), { mode: "fork" as const }];
    expect(() => createDeepAgent({ model, skills: ["/s/"], generalPurpose })).not.toThrow();
  });

  test("approvals without a checkpointer are refused before the model is asked", async () => {
    const model = new ScriptedModel([]);
    const agent = createDeepAgent({ model, interruptOn: { ls: true } });
    await expect(agent.invoke(say("go"))).rejects.toThrow(/checkpointer/);
    expect(model.received).toHaveLength(0);
  });
});

describe("H2: middleware", () => {
  test("of a built-in's name takes its place, others come after the built-ins in their order", async () => {
    const seen: string[] = [];
    const spy = (name: string) =>
      createMiddleware({
        name,
        wrapModelCall: (request, handler) => {
          seen.push(`${name}:${request.messages.length}`);
          return handler(request);
        },
      });
    const model = new ScriptedModel(["done"]);
    const middleware = [spy("second"), spy("SummarizationMiddleware"), spy("first")];
    await createDeepAgent({ model, middleware }).invoke(say("go"));
    expect(seen).toEqual(["SummarizationMiddleware:1", "second:1", "first:1"]);
  });
});

describe("H3, H4", () => {
  test("the same options give the same prompt, byte for byte, from turn to turn", async () => {
    const one = new ScriptedModel([]);
    const two = new ScriptedModel([]);
    const options = { checkpointer: new MemorySaver(), systemPrompt: "You are Ada." };
    const agent = createDeepAgent({ ...options, model: one });
    await agent.invoke(say("a"), inThread("1"));
    await agent.invoke(say("b"), inThread("1"));
    await createDeepAgent({ ...options, model: two }).invoke(say("c"), inThread("2"));
    const prompts = [...one.received, ...two.received].map(([system]) => system?.text);
    expect(new Set(prompts).size).toBe(1);
    const tools = [...one.bound, ...two.bound].map((bound) =>
      JSON.stringify(
        bound.map((offered) => [Reflect.get(offered, "name"), Reflect.get(offered, "description")]),
      ),
    );
    expect(new Set(tools).size).toBe(1);
  });

  test("construction reads nothing and loads no model", () => {
    const { backend, calls } = recorded(new MemoryBackend());
    createDeepAgent({
      model: "no-such-provider:nothing",
      backend,
      skills: ["/skills/"],
      memory: ["/AGENTS.md"],
    });
    expect(calls).toEqual([]);
  });
});
