import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, expect, test } from "vitest";

const examples = join(import.meta.dirname, "..");

/**
 * What a program printed. Without ripgrep on the machine, a search of deepagents keeps its process for half a minute after the last
 * line; and with a factory it has no store where it reads the memory, and prints the stack of that before it goes on.
 */
function printed(name: string): Promise<string[]> {
  const child = spawn(process.execPath, [join(examples, "dist", `${name}.js`)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const lines: string[] = [];
  createInterface(child.stdout).on("line", (line) => {
    if (/^(?:Failed to load memory| {4}at )/.test(line)) return;
    lines.push(line);
    if (line.startsWith("listed: ")) child.kill();
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => {
      resolve(lines);
    });
  });
}

beforeAll(() => {
  const compiler = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  execFileSync(process.execPath, [join(compiler, "bin", "tsc"), "-b", examples]);
});

const PRINTED = [
  "waits: 1 question, 0 sent",
  "sent: Otters to ada@example.org",
  "found: true",
  "in the thread: /plan.md",
  String.raw`on disk: "Dear Ada,\n\notters hold hands when they sleep.\n\nThe team\n"`,
  "last: true",
  "remembers: true",
  "has the plan: false",
  "pages: /animals/bears.md /animals/otters.md /answers/otters.md /faq.md /skills/polite/SKILL.md",
  "asleep: 3 3",
  "edited: 1 place",
  "replaced: true",
  "missing: true",
  "listed: /animals/ /answers/ /faq.md /skills/",
];

test("a program for deepagents does the same once it is migrated, and replaces no file by mistake", async () => {
  expect(await printed("help-desk-deepagents")).toEqual(PRINTED);
  const migrated = PRINTED.map((line) => (line === "replaced: true" ? "replaced: false" : line));
  expect(await printed("help-desk-migrated")).toEqual(migrated);
});

test("migrating it changes its imports, its backends, and one turn of its model", () => {
  const lines = (name: string) =>
    new Set(readFileSync(join(examples, "src", name), "utf8").split("\n"));
  const [before, after] = [lines("help-desk-deepagents.ts"), lines("help-desk-migrated.ts")];
  const [, ...code] = [...after].filter((line) => !before.has(line) && !line.startsWith(" * "));
  expect(code.map((line) => line.trim())).toEqual([
    'import { FilesystemBackend } from "@fs/disk";',
    'import { CompositeBackend } from "@fs/protocol";',
    'import { StateBackend } from "@fs/state";',
    'import { StoreBackend } from "@fs/store";',
    '[call("read_file", { file_path: ANSWER })],',
    "backend: new CompositeBackend(new StateBackend(), {",
    '"/memories/": new StoreBackend({ namespace: ["help-desk", "memories"] }),',
    '"/project/": new FilesystemBackend({ rootDir: directory }),',
    "const project = new FilesystemBackend({ rootDir: directory });",
  ]);
});
