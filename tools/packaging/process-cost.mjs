import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const REPORT = `
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write("\\n" + (user + system) / 1000 + " " + process.memoryUsage.rss() / 1e6);
});`;

/** Arguments of a Node that runs this module text. */
export const importing = (source) => ["--input-type=module", "-e", source];

/**
 * A function that runs Node with these arguments in this directory, and returns the CPU milliseconds and resident megabytes of
 * the process from its start to its end. Keeps a file in `folder`.
 */
export function processCost(folder) {
  const report = join(folder, "report.mjs");
  writeFileSync(report, REPORT);
  return ({ cwd, args }) => {
    // The report is loaded in the bare process too, so it is no part of a difference.
    const command = 'exec "$0" "$@" 2>&1 >/dev/null';
    const parameters = ["-c", command, process.execPath, "--import", report, ...args];
    const said = execFileSync("sh", parameters, { cwd, encoding: "utf8" });
    const [cpu, rss] = said.trim().split("\n").at(-1).split(" ").map(Number);
    return { cpu, rss };
  };
}
