/** Files that all users of one assistant share: what it learned, how it is to answer. */
import { StoreBackend } from "@fs/store";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { lastAnswers, read, turns, write } from "./scripted-model.js";

const agent = createDeepAgent({
  model: turns([write("/style.md", "Be brief.")], [read("/style.md")], [read("/style.md")]),
  backend: new StoreBackend({
    namespace: (rt) => ["assistants", rt.serverInfo.assistantId ?? "none"],
  }),
  store: new InMemoryStore(),
  checkpointer: new MemorySaver(),
});

async function chat(assistant_id: string, thread_id: string): Promise<void> {
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content: "Go on." }] },
    // A LangGraph server puts the assistant's id there by itself.
    { configurable: { thread_id }, metadata: { assistant_id } },
  );
  console.log(`${assistant_id}, thread ${thread_id}: ${lastAnswers(messages).join()}`);
}

await chat("writer", "1");
await chat("writer", "2");
await chat("lawyer", "3");
