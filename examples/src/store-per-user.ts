/** Files that a user finds again in every thread, and that no other user sees. */
import { StoreBackend } from "@fs/store";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { lastAnswers, read, turns, write } from "./scripted-model.js";

const agent = createDeepAgent({
  model: turns([write("/likes.md", "tea")], [read("/likes.md")], [read("/likes.md")]),
  backend: new StoreBackend({
    namespace: (rt) => ["users", rt.serverInfo.user?.identity ?? "nobody"],
  }),
  store: new InMemoryStore(),
  checkpointer: new MemorySaver(),
});

async function chat(identity: string, thread_id: string): Promise<void> {
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content: "Go on." }] },
    // On a LangGraph server, its authentication says who the user is.
    { configurable: { thread_id, langgraph_auth_user: { identity } } },
  );
  console.log(`${identity}, thread ${thread_id}: ${lastAnswers(messages).join()}`);
}

await chat("ann@example.com", "1");
await chat("ann@example.com", "2");
await chat("bob@example.com", "3");
