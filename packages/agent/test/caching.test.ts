import { createDeepAgent } from "@fs/agent";
import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import { modelFallbackMiddleware } from "langchain";
import { expect, test } from "vitest";
import { say } from "./support/results.js";
import { type Reply, ScriptedModel, task } from "./support/scripted-model.js";

/** A model by the name of a provider's class, by which LangChain's caching knows it. Notes the settings of its calls. */
class NamedModel extends ScriptedModel {
  readonly settings: unknown[] = [];
  readonly #name: string;
  readonly model: string;

  constructor(name: string, replies: readonly Reply[], model = "anthropic.claude-haiku") {
    super(replies);
    this.#name = name;
    this.model = model;
  }

  override getName(): string {
    return this.#name;
  }

  override bindTools(tools: BindToolsInput[], settings?: unknown) {
    this.settings.push(settings);
    return super.bindTools(tools);
  }
}

const marked = ({ settings }: NamedModel) =>
  settings.map((one) => Object.hasOwn(one ?? {}, "cache_control"));

test.each([
  ["ChatAnthropic", true],
  ["ChatBedrockConverse", true],
  ["ChatOpenAI", false],
])("caching: calls of a %s are marked: %s", async (name, caches) => {
  const model = new NamedModel(name, ["done"]);
  await createDeepAgent({ model }).invoke(say("go"));
  expect(marked(model)).toEqual([caches]);
});

test("caching: decided for the model of each call, in subagents and after a fallback too", async () => {
  const failing = new NamedModel("ChatAnthropic", [new Error("down"), new Error("down")]);
  const standIn = new NamedModel("ChatOpenAI", [[task("worker")], "done"]);
  const child = new NamedModel("ChatAnthropic", ["report"]);
  const agent = createDeepAgent({
    model: failing,
    middleware: [modelFallbackMiddleware(standIn)],
    subagents: [{ name: "worker", description: "Works.", model: child }],
  });
  const { messages } = await agent.invoke(say("go"));
  expect(messages.at(-1)?.text).toBe("done");
  expect([marked(failing), marked(standIn), marked(child)]).toEqual([
    [true, true],
    [false, false],
    [true],
  ]);
});
