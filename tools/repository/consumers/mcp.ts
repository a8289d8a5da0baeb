import { serveHttp } from "@fs/mcp";
import { MemoryBackend } from "@fs/protocol";

const server = await serveHttp(new MemoryBackend());
const { status } = await fetch(server.url);
await server.close();
if (status !== 405) throw new Error(`answered ${status}`);
