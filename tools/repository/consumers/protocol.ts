import { CompositeBackend, MemoryBackend } from "@fs/protocol";

const backend = new CompositeBackend(new MemoryBackend(), { "/notes/": new MemoryBackend() });
await backend.write("/notes/a.md", "hello");
const { content, error } = await backend.read("/notes/a.md");
if (content !== "hello") throw new Error(error ?? `read ${String(content)}`);
