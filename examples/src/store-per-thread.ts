/** Files of one thread, kept in the store: outside its checkpoints, and readable without running the graph. */
import { StoreBackend } from "@fs/store";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { lastAnswers, read, turns, write } from "./scripted-model.js";

const store = new InMemoryStore();
const agent = createDeepAgent({
  model: turns([write("/draft.md", "Chapter one")], [read("/draft.md")], [read("/draft.md")]),
  backend: new StoreBackend({
    namespace: (rt) => ["threads", rt.executionInfo.threadId ?? "none"],
  }),
  store,
  checkpointer: new MemorySaver(),
});

async function chat(thread_id: string): Promise<void> {
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content: "Go on." }] },
    { configurable: { thread_id } },
  );
  console.log(`thread ${thread_id}: ${lastAnswers(messages).join()}`);
}

await chat("1");
await chat("1");
await chat("2");

const files = new StoreBackend({ store, namespace: ["threads", "1"] });
console.log(`outside: ${String((await files.read("/draft.md")).content)}`);
