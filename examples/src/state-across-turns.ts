/** Files in the thread's state: each turn finds those of the turns before, and history keeps every version. */
import { createFilesystemMiddleware } from "@fs/middleware";
import { StateBackend } from "@fs/state";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { edit, lastAnswers, read, turns, write } from "./scripted-model.js";

const agent = createAgent({
  model: turns(
    [write("/plan.md", "1. read")],
    [edit("/plan.md", "1. read", "1. read\n2. write")],
    [read("/plan.md")],
  ),
  middleware: [createFilesystemMiddleware({ backend: new StateBackend() })],
  checkpointer: new MemorySaver(),
});
const thread = { configurable: { thread_id: "1" } };

for (const content of ["Make a plan.", "Add a step.", "What is the plan?"]) {
  const { messages, files } = await agent.invoke({ messages: [{ role: "user", content }] }, thread);
  console.log(lastAnswers(messages).join());
  console.log(JSON.stringify(files["/plan.md"]?.content));
}
