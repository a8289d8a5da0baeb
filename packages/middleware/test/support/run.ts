import { ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { createAgent } from "langchain";
import { createFilesystemMiddleware, type FilesystemMiddlewareOptions } from "@fs/middleware";
import { ScriptedModel, type Call, type Step } from "./scripted-model.js";

/** Runs one turn of a real agent whose model follows the steps. */
export async function runTurn(
  options: FilesystemMiddlewareOptions,
  steps: readonly Step[],
  input = "go",
): Promise<{ messages: BaseMessage[]; model: ScriptedModel; results: ToolMessage[] }> {
  const model = new ScriptedModel(steps);
  const agent = createAgent({ model, middleware: [createFilesystemMiddleware(options)] });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: input }] });
  return {
    messages,
    model,
    results: messages.filter((message) => ToolMessage.isInstance(message)),
  };
}

/** The results of calls made one after another, each in a step of its own. */
export async function callTools(
  options: FilesystemMiddlewareOptions,
  ...calls: readonly Call[]
): Promise<ToolMessage[]> {
  const { results } = await runTurn(options, [...calls.map((call) => () => [call]), () => "done"]);
  return results;
}
