import { StoreBackend } from "@fs/store";
import { InMemoryStore } from "@langchain/langgraph";

const backend = new StoreBackend({ store: new InMemoryStore(), namespace: ["files"] });
await backend.write("/a.txt", "hello");
const { content, error } = await backend.read("/a.txt");
if (content !== "hello") throw new Error(error ?? `read ${String(content)}`);
