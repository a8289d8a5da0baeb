import { openTree } from "@fs/config";

const tree = await openTree({ routes: { "/notes/": { use: "memory" } } });
await tree.backend.write("/notes/a.txt", "hello");
const { content, error } = await tree.backend.read("/notes/a.txt");
if (content !== "hello") throw new Error(error ?? `read ${String(content)}`);
/** Whether the project has a package. */
function has(name: string): boolean {
  try {
    return import.meta.resolve(name) !== "";
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_MODULE_NOT_FOUND") return false;
    throw error;
  }
}
const opened = await openTree({ routes: { "/d/": { use: "disk", rootDir: "." } } }).then(
  () => "it opened",
  (reason: unknown) => String(reason),
);
const wanted = has("@fs/disk") ? "it opened" : "npm install @fs/disk";
if (!opened.includes(wanted)) throw new Error(opened);
