import { textOf, type Tree } from "../eyes/tree.js";
import { linesOf, sortedPaths } from "../model/text-rules.js";
import { globMatches } from "./glob-twin.js";

/** A search, as the arguments of `grep` say it. */
export interface Search {
  readonly pattern: string;
  readonly path: string;
  readonly glob: string | null;
  readonly maxCount: number | null;
  readonly ignoreCase: boolean;
  readonly regex: boolean;
  readonly before: number;
  readonly after: number;
}

/** What it must find: `[path, line, text, before, after]`, and whether there was more. */
export interface Found {
  readonly matches: ReadonlyArray<
    readonly [string, number, string, readonly string[], readonly string[]]
  >;
  readonly truncated: boolean;
}

/** S1 to S8 once more, line by line. */
export function searched(tree: Tree, search: Search): Found {
  const { path, glob, maxCount } = search;
  const files = sortedPaths(tree.keys()).filter(
    (file) => isBelow(tree, file, path) && passes(file, path, glob),
  );
  const all = files.flatMap((file) => matchesIn(tree, file, search));
  if (maxCount === null) return { matches: all, truncated: false };
  return { matches: all.slice(0, maxCount), truncated: all.length > maxCount };
}

function isBelow(tree: Tree, file: string, path: string): boolean {
  return path === "/" || file === path || (!tree.has(path) && file.startsWith(`${path}/`));
}

/** S5: by name at any depth, relative to the path, or absolute. */
function passes(file: string, path: string, glob: string | null): boolean {
  if (glob === null) return true;
  if (glob.startsWith("/")) return globMatches(glob.slice(1), file.slice(1));
  const name = file.slice(file.lastIndexOf("/") + 1);
  if (!glob.includes("/")) return globMatches(glob, name);
  // A file as path is its own name.
  return globMatches(glob, file === path ? name : file.slice(path === "/" ? 1 : path.length + 1));
}

function matchesIn(tree: Tree, file: string, search: Search): Found["matches"] {
  const text = textOf(file, tree.get(file) ?? new Uint8Array()) ?? "";
  const lines = linesOf(text).map((line) => line.replace(/\n$/, "").replace(/\r$/, ""));
  return lines.flatMap((line, at) =>
    hits(line, search)
      ? [
          [
            file,
            at + 1,
            line,
            lines.slice(Math.max(0, at - search.before), at),
            lines.slice(at + 1, at + 1 + search.after),
          ] as const,
        ]
      : [],
  );
}

function hits(line: string, { pattern, ignoreCase, regex }: Search): boolean {
  // In RE2 a dot is any character but the line feed, which no line holds.
  if (regex) return new RegExp(pattern, ignoreCase ? "isu" : "su").test(line);
  return ignoreCase ? line.toLowerCase().includes(pattern.toLowerCase()) : line.includes(pattern);
}
