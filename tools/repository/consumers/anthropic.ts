import { memoryHandlers } from "@fs/anthropic";
import { MemoryBackend } from "@fs/protocol";

const backend = new MemoryBackend();
const memory = memoryHandlers(backend);
await memory.create({ command: "create", path: "/memories/a.txt", file_text: "hello" });
const { content, error } = await backend.read("/memories/a.txt");
if (content !== "hello") throw new Error(error ?? `read ${String(content)}`);
