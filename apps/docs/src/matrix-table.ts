import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./repository.js";

const MATRIX = "docs/conformance-matrix.md";
export const CHOOSING = "docs/choosing-a-backend.md";
const BLOCK = /(<!-- levels of the matrix -->\n)[\s\S]*?(<!-- end of levels -->)/;

/** The deployments that a table of backends shows, by their name in the matrix, and what they are called there. */
const SHOWN: ReadonlyArray<readonly [deployment: string, title: string]> = [
  ["memory", "memory"],
  ["state in a graph", "state"],
  ["disk", "disk"],
  ["local shell", "shell, on this machine"],
  ["bubblewrap sandbox", "shell, sandboxed"],
  ["store in Redis", "store, over Redis"],
  ["postgres", "postgres"],
  ["pglite", "postgres, in the process"],
  ["s3", "s3"],
  ["redis", "redis"],
  ["hub", "hub"],
];

interface Level {
  readonly deployment: string;
  readonly levels: readonly string[];
  readonly passed: string;
  readonly date: string;
}

/** The rows of the matrix' first table. */
export function levelsOf(matrix: string): Level[] {
  const rows = matrix
    .split("\n")
    .filter((line) => /^\| \[[^\]]+\]\([\w.-]*#deployment-\d+\)/.test(line));
  return rows.flatMap((line) => {
    const [name = "", , ...cells] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("**", ""));
    const deployment = /^\[([^\]]+)\]/.exec(name)?.[1];
    if (deployment === undefined) return [];
    const [core = "", safe = "", durable = "", exec = "", passed = "", date = ""] = cells;
    return [{ deployment, levels: [core, safe, durable, exec], passed, date }];
  });
}

/** What each backend was measured to keep, out of the matrix. Throws when a deployment has gone from it. */
function levelTable(matrix: string): string {
  const all = levelsOf(matrix);
  const rows = SHOWN.map(([deployment, title]) => {
    const row = all.find((level) => level.deployment === deployment);
    if (row === undefined) throw new Error(`The matrix has no row for ${deployment}.`);
    const levels = row.levels.map((level) => (level === "earned" ? "✓" : short(level)));
    return `| ${title} | ${levels.join(" | ")} | ${row.passed} | ${row.date} |`;
  });
  return [
    "| backend | Core | Safe | Durable | Exec | cases passed | measured |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function short(level: string): string {
  return level === "not claimed" ? "–" : level;
}

/** The page on choosing a backend with the table as the matrix has it. */
export function withLevels(page: string, matrix: string): string {
  return page.replace(
    BLOCK,
    (_, open: string, close: string) => `${open}\n${levelTable(matrix)}\n\n${close}`,
  );
}

export function readMatrix(): string {
  return readFileSync(join(root, MATRIX), "utf8");
}

/** Writes the table anew; the formatter aligns it. */
export function writeLevels(): void {
  const file = join(root, CHOOSING);
  writeFileSync(file, withLevels(readFileSync(file, "utf8"), readMatrix()));
}
