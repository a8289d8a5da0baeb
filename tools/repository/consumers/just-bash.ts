import { bashFilesystem } from "@fs/just-bash";
import { MemoryBackend } from "@fs/protocol";

const fs = bashFilesystem(new MemoryBackend());
await fs.writeFile("/a.txt", "hello");
const text = await fs.readFile("/a.txt");
if (text !== "hello") throw new Error(`read ${text}`);
