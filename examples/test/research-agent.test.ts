import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const examples = join(import.meta.dirname, "..");
const node = (...parameters: string[]) =>
  execFileSync(process.execPath, parameters, { encoding: "utf8" });

// It starts a second process of its own, so it runs compiled.
test("research-agent runs and prints what it should", () => {
  const compiler = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  node(join(compiler, "bin", "tsc"), "-b", examples);
  const printed = node(join(examples, "dist", "research-agent.js"))
    .trimEnd()
    .split("\n");
  expect(printed.map((line) => line.replace(/(search_archive-)[\w-]+/, "$1ID"))).toEqual([
    'asks: publish {"path":"/report.md"}',
    "plan: Research tea and coffee (completed)",
    "plan: Search the archive (completed)",
    "plan: Publish a report (completed)",
    "task: Tea has 40 mg of caffeine.",
    "task: Coffee has 95 mg of caffeine.",
    "search_archive: saved in a file",
    "publish: Published /report.md.",
    "summarized: 2 times, after 21 messages",
    String.raw`shared: "Tea: 40 mg\nCoffee: 95 mg\n"`,
    "in the thread: /conversation_history/1/main.md /large_tool_results/search_archive-ID.txt " +
      "/notes/coffee.md /notes/shared.md /notes/tea.md /report.md",
    String.raw`on disk: "Reports: as a list, please.\n"`,
    "another thread: as a list, please.",
    "another process: as a list, please.",
  ]);
});
