import { openTree } from "@fs/config";
import { existsSync } from "node:fs";

const tree = await openTree({ routes: { "/notes/": { use: "memory" } } });
await tree.backend.write("/notes/a.txt", "hello");
const { content, error } = await tree.backend.read("/notes/a.txt");
if (content !== "hello") throw new Error(error ?? `read ${String(content)}`);
const opened = await openTree({ routes: { "/d/": { use: "disk", rootDir: "." } } }).then(
  () => "it opened",
  (reason: unknown) => String(reason),
);
const wanted = existsSync("node_modules/@fs/disk") ? "it opened" : "npm install @fs/disk";
if (!opened.includes(wanted)) throw new Error(opened);
