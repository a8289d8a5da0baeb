/** Drafts live and die with their thread; what is below `/memories/` stays. */
import { CompositeBackend } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { StoreBackend } from "@fs/store";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { lastAnswers, ls, read, turns, write } from "./scripted-model.js";

const agent = createDeepAgent({
  model: turns(
    [write("/draft.md", "a draft"), write("/memories/likes.md", "tea")],
    [read("/draft.md"), ls("/")],
    [read("/memories/likes.md"), ls("/")],
  ),
  backend: new CompositeBackend(new StateBackend(), {
    "/memories/": new StoreBackend({ namespace: ["memories"] }),
  }),
  store: new InMemoryStore(),
  checkpointer: new MemorySaver(),
});

async function chat(thread_id: string): Promise<void> {
  const { messages } = await agent.invoke(
    { messages: [{ role: "user", content: "Go on." }] },
    { configurable: { thread_id } },
  );
  console.log(`thread ${thread_id}: ${JSON.stringify(lastAnswers(messages))}`);
}

await chat("1");
await chat("1");
await chat("2");
