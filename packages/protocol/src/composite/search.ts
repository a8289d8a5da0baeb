import { contextRefusal } from "../call/lines-of-context.js";
import { compiled } from "../glob/compiled.js";
import { grepVisible } from "../call/grep-visible.js";
import { pageOfListing } from "../call/page-of-listing.js";
import { compileFilter, compileGlob, type PathGlob } from "../glob/path-glob.js";
import { VolumeError } from "../errors/volume-error.js";
import { comparePaths, parentOf } from "../paths/segments.js";
import type { GrepOptions, PageOptions } from "../types/options.js";
import type { FileInfo, GlobResult, GrepMatch, GrepResult } from "../types/results.js";
import { allWarnings, gather, relevantFailures, verdict, type Gathered } from "./fan-out.js";
import {
  innerPage,
  isFileOf,
  type MountTable,
  oneEntry,
  outerRoot,
  toOuter,
  type Visit,
  visitsOf,
} from "./mount-table.js";

/** What the searches of a composite work with. */
export interface SearchContext {
  readonly table: MountTable;
  /** Report failing routes in `warnings` in place of failing. */
  readonly partial: boolean;
}

/** The files that match, in all mounts at or below the base. Throws `invalid_pattern`. */
export async function globRouted(
  { table, partial }: SearchContext,
  pattern: unknown,
  base: string,
  options: PageOptions,
): Promise<GlobResult> {
  const glob = compiled(compileGlob(pattern, base));
  const itself = compiled(compileGlob(pattern, parentOf(base)));
  const mounts = table.below(base);
  const page = innerPage(table.ownerOf(base), options, mounts.length === 0);
  const visits = visitsOf(table, base).flatMap((visit) => {
    const patterns = glob.below(outerRoot(visit));
    const found = patterns.map((below) => ({ ...visit, pattern: below, page, looks: false }));
    // The owner says whether the base is there even when nothing in it can match: one entry shows it.
    if (!visit.below && (patterns.length === 0 || missItself(patterns, base, itself)))
      found.push({ ...visit, pattern: "*", page: oneEntry(visit.mount, options), looks: true });
    return found;
  });
  const gathered = await gather(visits, ({ mount, inner, pattern: below, page: asked }) =>
    mount.backend.glob(below, inner, asked),
  );
  const answered = gathered.answers.length > 0;
  const { failure, warnings } = verdict(
    relevantFailures(gathered, mounts.length > 0),
    partial,
    answered,
  );
  if (failure !== undefined) return failure;
  const files = new Map<string, FileInfo>();
  let truncated = false;
  for (const { visit, result } of gathered.answers) {
    truncated ||= result.truncated === true && !visit.looks;
    for (const info of result.files) {
      const path = toOuter(visit.mount, info.path);
      const matches = path === base ? itself.matches(path) : glob.matches(path);
      if (matches && isFileOf(table, visit.mount, path)) files.set(path, { ...info, path });
    }
  }
  return {
    ...pageOfListing([...files.values()], options, truncated),
    ...allWarnings(gathered.answers, warnings),
  };
}

/** The matching lines in all mounts at or below the root, as one filesystem would give them. Throws `invalid_pattern`, `invalid_argument`. */
export async function grepRouted(
  { table, partial }: SearchContext,
  pattern: string,
  root: string,
  filter: string | null | undefined,
  maxCount: number | null | undefined,
  options: GrepOptions,
): Promise<GrepResult> {
  const only = filterOf(filter, root);
  const accepts = (path: string): boolean =>
    only === undefined || (path === root ? only.itself : only.below).matches(path);
  const mounts = table.below(root);
  const visits = visitsOf(table, root).flatMap((visit) => filteredVisits(visit, only, root));
  const gathered = await gather(visits, async ({ mount, inner, pattern: pushed }) => {
    const isVisible = ({ path }: GrepMatch): boolean => {
      const outer = toOuter(mount, path);
      return accepts(outer) && isFileOf(table, mount, outer);
    };
    // Others may count a cap in ways of their own: they are asked for everything.
    const cap = mount.backend.semantics === undefined ? null : maxCount;
    return grepVisible(
      (...asked) => mount.backend.grep(...asked),
      [pattern, inner, pushed ?? null, cap, options],
      async (found) => found.filter(isVisible),
    );
  });
  const answered = gathered.answers.length > 0;
  const { failure, warnings } = verdict(
    relevantFailures(gathered, mounts.length > 0),
    partial,
    answered,
  );
  if (failure !== undefined) return failure;
  const all = merged(gathered.answers, maxCount);
  // Each mount was within the limit by itself.
  const refusal = contextRefusal(all.matches.length, (options.before ?? 0) + (options.after ?? 0));
  if (refusal !== undefined) throw new VolumeError("invalid_argument", refusal);
  return { ...all, ...allWarnings(gathered.answers, warnings) };
}

function merged(
  answers: Gathered<GrepResult>["answers"],
  maxCount: number | null | undefined,
): { matches: GrepMatch[]; truncated?: true } {
  const matches = new Map<string, GrepMatch>();
  let truncated = false;
  for (const { visit, result } of answers) {
    truncated ||= result.truncated === true;
    for (const match of result.matches) {
      const path = toOuter(visit.mount, match.path);
      matches.set(`${match.line}:${path}`, { ...match, path });
    }
  }
  const all = [...matches.values()].toSorted(
    (a, b) => comparePaths(a.path, b.path) || a.line - b.line,
  );
  const cap = maxCount ?? Infinity;
  return truncated || all.length > cap
    ? { matches: all.slice(0, cap), truncated: true }
    : { matches: all };
}

/** A filter as it is asked of what lies below the root, and of a root that is a file. */
interface Filter {
  readonly text: string;
  readonly below: PathGlob;
  readonly itself: PathGlob;
}

/** Throws `invalid_pattern`. Without a filter `undefined`. */
function filterOf(text: string | null | undefined, root: string): Filter | undefined {
  if (text === undefined || text === null || text === "") return undefined;
  const below = compiled(compileFilter(text, root));
  return { text, below, itself: compiled(compileFilter(text, parentOf(root))) };
}

/** The visits of one mount for a filter: none, one, or one for each way that the filter reaches into the mount. */
function filteredVisits(visit: Visit, filter: Filter | undefined, root: string): Visit[] {
  if (filter === undefined) return [visit];
  if (!filter.text.includes("/")) return [{ ...visit, pattern: filter.text }];
  // Others read a filter with a slash in ways of their own: they are asked for everything, and filtered above.
  if (visit.mount.backend.semantics === undefined) return [visit];
  const patterns = filter.below.below(outerRoot(visit));
  if (patterns.length === 0) return visit.below ? [] : [visit];
  if (!visit.below && missItself(patterns, root, filter.itself)) patterns.push("*");
  // A leading `./` keeps a pattern of one segment relative to the directory: bare, it would match at any depth.
  return patterns.map((pattern) => ({ ...visit, pattern: `./${pattern}` }));
}

/**
 * Whether a base that is a file would be missed: it is matched as a child of its directory, and an absolute pattern may
 * match it so, but reach nothing of that name below it.
 */
function missItself(patterns: readonly string[], base: string, itself: PathGlob): boolean {
  const matchesBase = (pattern: string): boolean =>
    compiled(compileGlob(pattern, parentOf(base))).matches(base);
  return itself.matches(base) && !patterns.some(matchesBase);
}
