import { breather } from "../concurrency/breather.js";
import { comparePaths } from "./segments.js";

/** Paths that are sorted without a pause. */
const AT_ONCE = 2048;

/** Paths in the order of every listing. Pauses now and then, so that a hundred thousand of them hold nothing up. */
export async function sortedPaths(paths: readonly string[]): Promise<string[]> {
  const breathe = breather();
  let runs: string[][] = [];
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    runs.push(paths.slice(from, from + AT_ONCE).toSorted(comparePaths));
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], breathe));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(
  first: readonly string[],
  second: readonly string[],
  breathe: () => Promise<void> | undefined,
): Promise<string[]> {
  const merged: string[] = [];
  let next = 0;
  for (const [at, path] of first.entries()) {
    for (let other = second[next]; other !== undefined; other = second[++next]) {
      if (comparePaths(other, path) >= 0) break;
      merged.push(other);
    }
    merged.push(path);
    if (at % 256 !== 0) continue;
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  for (; next < second.length; next++) {
    const path = second[next];
    if (path !== undefined) merged.push(path);
  }
  return merged;
}
