import { backendEditor } from "@fs/openai-agents";
import { MemoryBackend } from "@fs/protocol";

const backend = new MemoryBackend();
const editor = backendEditor((_input, diff) => diff.slice(1), backend);
await editor.createFile({ type: "create_file", path: "a.txt", diff: "+hello" });
const { content, error } = await backend.read("/a.txt");
if (content !== "hello") throw new Error(error ?? `read ${String(content)}`);
