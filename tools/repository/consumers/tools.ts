import { MemoryBackend } from "@fs/protocol";
import { noKnownFiles, textOf, TOOLS, toolSettings } from "@fs/tools";

const backend = new MemoryBackend();
await backend.write("/a.txt", "hello");
const context = { backend, options: {}, settings: toolSettings(), known: noKnownFiles };
const text = textOf(await TOOLS.read_file.call({ path: "/a.txt" }, context));
if (text !== "1→hello") throw new Error(text);
