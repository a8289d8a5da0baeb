import { openTree } from "@fs/config";

const tree = await openTree({ routes: { "/notes/": { use: "memory" } } });
await tree.backend.write("/notes/a.txt", "hello");
const { content, error } = await tree.backend.read("/notes/a.txt");
if (content !== "hello") throw new Error(error ?? `read ${String(content)}`);
const missing = await openTree({ routes: { "/d/": { use: "disk", rootDir: "." } } }).then(
  () => "it opened",
  (reason: unknown) => String(reason),
);
if (!missing.includes("npm install @fs/disk")) throw new Error(missing);
