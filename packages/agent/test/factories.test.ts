import { createDeepAgent } from "@fs/agent";
import { CompositeBackend } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { expect, test } from "vitest";
import { say } from "./support/results.js";
import { edit, type Reply, ScriptedModel, task, write } from "./support/scripted-model.js";

const scripted = (...replies: readonly Reply[]) => new ScriptedModel(replies);
// As programs for deepagents 1.8 have it: a backend for each call, of the runtime that it is given.
const backend = (runtime: unknown) =>
  new CompositeBackend(new StateBackend(runtime as { state: unknown }), {});

test("parallel edits through a factory of backends are all kept", async () => {
  const path = "/notes.md";
  const agent = createDeepAgent({
    model: scripted(
      [write(path, "- a\n- b\n")],
      [edit(path, "- a", "- A"), edit(path, "- b", "- B")],
      "done",
    ),
    backend,
  });
  const { files } = await agent.invoke(say("go"));
  expect(files[path]?.content).toBe("- A\n- B\n");
});

test("what a subagent writes through a factory is there for the agent that called it", async () => {
  const worker = scripted([write("/draft.md", "a draft\n")], "done");
  const agent = createDeepAgent({
    model: scripted([task("worker", "write")], "done"),
    subagents: [{ name: "worker", description: "Writes.", systemPrompt: "Write.", model: worker }],
    backend,
  });
  const { files } = await agent.invoke(say("go"));
  expect(Object.keys(files)).toEqual(["/draft.md"]);
});
