import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Report, Tier } from "@fs/conformance";

/** What `npm run conformance` asks of a run. */
export const measuredTier = (process.env["FS_CONFORMANCE_TIER"] ?? "full") as Tier;

/**
 * Writes the report of a deployment into the folder that FS_CONFORMANCE_REPORTS names.
 *
 * @param source The file that made the harness; a deployment without a version has that of the package it is in.
 */
export function recordReport(report: Report, source: string): void {
  const folder = process.env["FS_CONFORMANCE_REPORTS"];
  if (folder === undefined) throw new Error("FS_CONFORMANCE_REPORTS is not set.");
  const home = packageFolder(source);
  const { name, version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    name: string;
    version: string;
  };
  const commit = process.env["FS_CONFORMANCE_COMMIT"];
  const own = `${name} ${version}${commit === undefined ? "" : ` (${commit})`}`;
  const backend = { ...report.backend, version: report.backend.version ?? own };
  // Rows come in the order of the files: ours, then those of others, which bring their own version.
  const owner = report.backend.version === undefined ? name : "others";
  const slug = `${owner}-${backend.name}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${slug.replace(/^-|-$/g, "")}.json`);
  writeFileSync(file, `${JSON.stringify({ ...report, backend, commit }, null, 2)}\n`);
}

function packageFolder(file: string): string {
  const folder = dirname(file);
  try {
    readFileSync(join(folder, "package.json"));
    return folder;
  } catch (error) {
    if (folder === dirname(folder)) throw error;
    return packageFolder(folder);
  }
}
