import { comparePaths, prefixOf } from "./segments.js";

/**
 * The paths below a directory, of paths in path order. Costs what lies there, and a search by halves.
 *
 * @param paths Canonical paths, sorted by {@link comparePaths}.
 */
export function pathsBelow(paths: readonly string[], directory: string): readonly string[] {
  if (directory === "/") return paths;
  const prefix = prefixOf(directory);
  const from = firstNotBefore(paths, prefix);
  let to = from;
  while (paths[to]?.startsWith(prefix) === true) to++;
  return paths.slice(from, to);
}

function firstNotBefore(paths: readonly string[], text: string): number {
  let [low, high] = [0, paths.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePaths(paths[middle] ?? "", text) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
