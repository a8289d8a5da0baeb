import { FilesystemBackend } from "@fs/disk";

const backend = new FilesystemBackend({ rootDir: process.cwd() });
await backend.write("/made.txt", "hello");
const { content, error } = await backend.read("/made.txt");
if (content !== "hello") throw new Error(error ?? `read ${String(content)}`);
