import { lstatSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Everything below a host directory, as the disk itself tells it: names, kinds, modes, times and content. */
export function snapshot(directory: string): string[] {
  const seen: string[] = [];
  const visit = (path: string, shown: string): void => {
    const stats = lstatSync(path, { bigint: true });
    const content = stats.isFile() ? readFileSync(path, "latin1") : "";
    const target = stats.isSymbolicLink() ? readlinkSync(path) : "";
    // A directory's own time changes with its entries, which are told one by one.
    seen.push(`${shown} ${stats.mode.toString(8)} ${stats.mtimeNs} ${content}${target}`);
    if (!stats.isDirectory()) return;
    for (const name of readdirSync(path).toSorted()) visit(join(path, name), `${shown}/${name}`);
  };
  visit(directory, "");
  return seen;
}
