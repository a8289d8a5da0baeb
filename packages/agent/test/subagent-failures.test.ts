import { createDeepAgent, type ErrorPlace } from "@fs/agent";
import { type Runnable } from "@langchain/core/runnables";
import { createDeepAgent as createPeer } from "deepagents";
import { describe, expect, test } from "vitest";
import { results, say, texts } from "./support/results.js";
import { ScriptedModel, task, write } from "./support/scripted-model.js";
import { worker } from "./support/subagents.js";

describe("H10: what goes wrong in a subagent is an answer", () => {
  test.each([
    ["an unknown type", [task("stranger")], /no subagent 'stranger'.*general-purpose, worker/],
    ["a name of Object's own", [task("constructor")], /no subagent 'constructor'/],
    ["a failing model", [task("worker")], /'worker' did not finish.*TypeError/],
    [
      "missing arguments",
      [{ name: "task", args: {} }],
      /description[\s\S]*subagent_type \(string\)/,
    ],
    [
      "foreign arguments",
      [{ name: "task", args: { prompt: "work", agent: "worker" } }],
      /description[\s\S]*subagent_type \(string\)/,
    ],
  ])("%s", async (_what, calls, message) => {
    const errors: unknown[] = [];
    const failing = new ScriptedModel(() => new TypeError("secret at /srv/app/key"));
    const sibling = new ScriptedModel([[write("/kept.md", "kept")], "kept"]);
    const model = new ScriptedModel([[...calls, task("sibling")], "done"]);
    const agent = createDeepAgent({
      model,
      onError: (error, place) => errors.push([place, error]),
      subagents: [worker(failing), { name: "sibling", description: "Writes.", model: sibling }],
    });
    const { messages, files } = await agent.invoke(say("go"));
    const [failed, kept] = results(messages, "task");
    expect(failed?.status).toBe("error");
    expect(failed?.text).toMatch(message);
    expect(failed?.text).not.toMatch(/secret|srv|\n +at /);
    expect([kept?.text, kept?.status]).toEqual(["kept", "success"]);
    expect(texts(files)).toEqual({ "/kept.md": "kept" });
  });

  test("the limit of steps", async () => {
    const looping = new ScriptedModel(() => [{ name: "ls", args: {} }]);
    const places: ErrorPlace[] = [];
    const agent = createDeepAgent({
      model: new ScriptedModel([[task("worker")], "done"]),
      onError: (_error, place) => places.push(place),
      subagents: [worker(looping)],
    });
    const { messages } = await agent.invoke(say("go"), { recursionLimit: 20 });
    expect(results(messages, "task")[0]?.text).toMatch(/limit of steps/);
    expect(places).toEqual([{ where: "subagent worker" }]);
  });

  test("but an aborted run ends", async () => {
    const abort = new AbortController();
    const child = new ScriptedModel(() => {
      abort.abort(new Error("stopped by the user"));
      return "late";
    });
    const model = new ScriptedModel([[task("worker")], "done"]);
    const agent = createDeepAgent({ model, subagents: [worker(child)] });
    await expect(agent.invoke(say("go"), { signal: abort.signal })).rejects.toThrow(
      /abort|stopped/i,
    );
    expect(model.received).toHaveLength(1);
  });
});

describe("H10: what a failed subagent wrote to files", () => {
  const failing = () => new ScriptedModel([[write("/work.md", "work")], new Error("down")]);
  test.each([
    ["is there", () => worker(failing()), { "/work.md": "work" }],
    [
      "is lost with its copy of them",
      () => ({
        name: "worker",
        description: "Works.",
        runnable: createPeer({ model: failing() }) as unknown as Runnable,
      }),
      {},
    ],
  ])("%s, and so it says", async (fate, subagent, left) => {
    const model = new ScriptedModel([[task("worker")], "done"]);
    const agent = createDeepAgent({ model, subagents: [subagent()] });
    const { messages, files } = await agent.invoke(say("go"));
    const [failed] = results(messages, "task");
    expect(failed?.status).toBe("error");
    expect(failed?.text.includes("is lost")).toBe(fate.startsWith("is lost"));
    expect(failed?.text.includes("is there")).toBe(fate === "is there");
    expect(texts(files)).toEqual(left);
  });
});
