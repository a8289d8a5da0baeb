import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Report } from "../report/report.js";
import { matrixOf, matrixPagesOf } from "./matrix.js";
import { UsageError } from "./usage-error.js";
import { writeOutput } from "./write-output.js";

/** Makes a table of reports: files, or folders of them. With `details`, on two pages, of which `out` is the shorter. */
export function matrixCommand(
  paths: readonly string[],
  out: string | undefined,
  details: string | undefined,
): void {
  const files = paths.flatMap(reportFiles);
  if (files.length === 0) throw new UsageError(`There are no reports in ${paths.join(", ")}.`);
  const reports = files.map(readReport);
  let text: string;
  if (details === undefined) text = matrixOf(reports);
  else {
    const link = relative(dirname(out ?? details), details).replaceAll("\\", "/");
    const pages = matrixPagesOf(reports, link);
    writeOutput(details, pages.details);
    text = pages.summary;
  }
  if (out === undefined) process.stdout.write(text);
  else writeOutput(out, text);
}

function reportFiles(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`There is no file '${path}'.`);
  if (!stats.isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => join(path, name));
}

function readReport(file: string): Report {
  const refused = `'${file}' is not a report that --json wrote`;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${refused}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const schema: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "schema") : undefined;
  if (schema !== 1)
    throw new UsageError(`${refused}: its schema is ${JSON.stringify(schema)}, not 1.`);
  return value as Report;
}
