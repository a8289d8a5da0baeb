import { MemoryBackend } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";

const files = new MemoryBackend();
const staged = new StagingBackend(files);
await staged.write("/a.txt", "hello");
if ((await files.read("/a.txt")).error === undefined) throw new Error("it was not held back");
await staged.commit();
const { content, error } = await files.read("/a.txt");
if (content !== "hello") throw new Error(error ?? `read ${String(content)}`);
