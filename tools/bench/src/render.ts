import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { figuresPage, growthPage } from "./pages.js";
import { growthPlot, grows } from "./plots.js";
import type { Results } from "./results.js";
import { suites } from "./run-suites.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const pages = join(root, "docs/benchmarks");
const folder = join(pages, "results");

/** The results that are in the repository, in the order of the suites. */
export function readResults(): Results[] {
  const order = Object.keys(suites);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Results)
    .toSorted((a, b) => order.indexOf(a.suite) - order.indexOf(b.suite));
}

/** Keeps the results of a suite. */
export function writeResults(results: Results): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${results.suite}.json`), `${JSON.stringify(results, null, 1)}\n`);
}

/** Writes pages and plots from the results in the repository, and nothing else. */
export async function renderPages(): Promise<void> {
  const all = readResults();
  const plots = join(pages, "growth");
  rmSync(plots, { recursive: true, force: true });
  mkdirSync(plots, { recursive: true });
  for (const results of all.filter(grows))
    writeFileSync(join(plots, `${results.suite}-growth.svg`), await growthPlot(results));
  writeFileSync(join(pages, "figures.md"), figuresPage(all));
  writeFileSync(join(pages, "growth.md"), growthPage(all));
  const { status } = spawnSync(
    process.execPath,
    [join(root, "node_modules/oxfmt/bin/oxfmt"), pages],
    { stdio: "inherit" },
  );
  if (status !== 0) throw new Error("The pages could not be formatted.");
}
