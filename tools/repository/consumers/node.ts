import { nodeFilesystem } from "@fs/node";
import { MemoryBackend } from "@fs/protocol";

const fs = nodeFilesystem(new MemoryBackend());
await fs.writeFile("/a.txt", "hello");
const text = await fs.readFile("/a.txt", "utf8");
if (text !== "hello") throw new Error(`read ${String(text)}`);
