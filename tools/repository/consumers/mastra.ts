import { mastraFilesystem } from "@fs/mastra";
import { MemoryBackend } from "@fs/protocol";

class Failure extends Error {}
const errors = new Proxy({}, { get: () => Failure }) as Parameters<typeof mastraFilesystem>[0];
const fs = mastraFilesystem(errors, new MemoryBackend());
await fs.writeFile("/a.txt", "hello");
const text = await fs.readFile("/a.txt", { encoding: "utf8" });
if (text !== "hello") throw new Error(`read ${String(text)}`);
