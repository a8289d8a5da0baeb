import { compiled } from "../backend/glob-files.js";
import { compileFilter, compileGlob } from "../glob/path-glob.js";
import { comparePaths, joinPath, parentOf } from "../paths/segments.js";
import type { CallOptions, GrepOptions } from "../types/options.js";
import type { FileInfo, GlobResult, GrepMatch, GrepResult, LsResult } from "../types/results.js";
import { gather, relevantFailures, verdict, type Visit } from "./fan-out.js";
import { toInner, toOuter, type Mount, type MountTable } from "./mount-table.js";

/** What the searches of a composite work with. */
export interface SearchContext {
  readonly table: MountTable;
  /** Report failing routes in `warnings` in place of failing. */
  readonly partial: boolean;
}

/** The children of a directory: its owner's, without what mounts hide, and the mounts. */
export async function listRouted(
  { table, partial }: SearchContext,
  path: string,
  options: CallOptions,
): Promise<LsResult> {
  const mount = table.ownerOf(path);
  const names = table.childNames(path);
  const visit = { mount, inner: toInner(mount, path), below: false };
  const gathered = await gather([visit], ({ inner }) => mount.backend.ls(inner, options));
  const { failure, warnings } = verdict(
    relevantFailures(gathered, names.length > 0),
    partial,
    names.length > 0,
  );
  if (failure !== undefined) return failure;
  const files = new Map<string, FileInfo>();
  for (const info of gathered.answers[0]?.result.files ?? []) {
    const outer = toOuter(mount, info.path);
    if (isOwnedBy(table, mount, outer)) files.set(outer, { ...info, path: outer });
  }
  for (const name of names) {
    const child = joinPath(path, name);
    // What stands there in the owner is hidden by the mount, or is the directory that leads to it.
    files.delete(child);
    if (!files.has(`${child}/`)) files.set(`${child}/`, { path: `${child}/`, is_dir: true });
  }
  return { files: sorted([...files.values()]), ...(warnings === undefined ? {} : { warnings }) };
}

/** The files that match, in all mounts at or below the base. Throws `invalid_pattern`. */
export async function globRouted(
  { table, partial }: SearchContext,
  pattern: unknown,
  base: string,
  options: CallOptions,
): Promise<GlobResult> {
  const glob = compiled(compileGlob(pattern, base));
  const itself = compiled(compileGlob(pattern, parentOf(base)));
  const mounts = table.below(base);
  const visits = visitsOf(table, base, mounts).flatMap((visit) => {
    const patterns = glob.below(outerRoot(visit));
    // The owner says whether the base is there even when nothing in it can match.
    if (patterns.length === 0 && !visit.below) patterns.push("*");
    return patterns.map((below) => ({ ...visit, pattern: below }));
  });
  const gathered = await gather(visits, ({ mount, inner, pattern: below = "**" }) =>
    mount.backend.glob(below, inner, options),
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
    truncated ||= result.truncated === true;
    for (const info of result.files ?? []) {
      const path = toOuter(visit.mount, info.path);
      const matches = path === base ? itself.matches(path) : glob.matches(path);
      if (matches && isOwnedBy(table, visit.mount, path)) files.set(path, { ...info, path });
    }
  }
  return {
    files: sorted([...files.values()]),
    ...(truncated ? { truncated } : {}),
    ...(warnings === undefined ? {} : { warnings }),
  };
}

/** The matching lines in all mounts at or below the root, as one filesystem would give them. Throws `invalid_pattern`. */
export async function grepRouted(
  { table, partial }: SearchContext,
  pattern: string,
  root: string,
  filter: string | null | undefined,
  maxCount: number | null | undefined,
  options: GrepOptions,
): Promise<GrepResult> {
  const accepts = acceptor(filter, root);
  const mounts = table.below(root);
  const visits = visitsOf(table, root, mounts).flatMap((visit) =>
    filteredVisits(visit, filter, root),
  );
  const gathered = await gather(visits, async (visit) => {
    const { mount, inner, pattern: pushed } = visit;
    const keep = (match: GrepMatch): boolean => {
      const path = toOuter(mount, match.path);
      return accepts(path) && isOwnedBy(table, mount, path);
    };
    const ask = (cap: number | null): GrepResult | Promise<GrepResult> =>
      mount.backend.grep(pattern, inner, pushed ?? null, cap, options);
    const capped = await ask(mount.backend.semantics === undefined ? null : (maxCount ?? null));
    const kept = capped.matches?.filter(keep) ?? [];
    // A cap that counted hidden files cut too early: then everything is needed.
    const cutEarly = capped.truncated === true && kept.length < (capped.matches?.length ?? 0);
    if (!cutEarly) return capped.error === undefined ? { ...capped, matches: kept } : capped;
    const whole = await ask(null);
    return whole.error === undefined
      ? { ...whole, matches: whole.matches?.filter(keep) ?? [] }
      : whole;
  });
  const answered = gathered.answers.length > 0;
  const { failure, warnings } = verdict(
    relevantFailures(gathered, mounts.length > 0),
    partial,
    answered,
  );
  if (failure !== undefined) return failure;
  return { ...merged(gathered.answers, maxCount), ...(warnings === undefined ? {} : { warnings }) };
}

function merged(
  answers: ReadonlyArray<{ visit: Visit; result: GrepResult }>,
  maxCount: number | null | undefined,
): GrepResult {
  const matches = new Map<string, GrepMatch>();
  let truncated = false;
  for (const { visit, result } of answers) {
    truncated ||= result.truncated === true;
    for (const match of result.matches ?? []) {
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

function acceptor(filter: string | null | undefined, root: string): (path: string) => boolean {
  if (filter === undefined || filter === null || filter === "") return () => true;
  const below = compiled(compileFilter(filter, root));
  const itself = compiled(compileFilter(filter, parentOf(root)));
  return (path) => (path === root ? itself : below).matches(path);
}

/** The visits of one mount for a filter: none, one, or one for each way that the filter reaches into the mount. */
function filteredVisits(visit: Visit, filter: string | null | undefined, root: string): Visit[] {
  if (filter === undefined || filter === null || filter === "") return [visit];
  if (!filter.includes("/")) return [{ ...visit, pattern: filter }];
  // Others read a filter with a slash in ways of their own: they are asked for everything, and filtered above.
  if (visit.mount.backend.semantics === undefined) return [visit];
  const below = compiled(compileFilter(filter, root)).below(outerRoot(visit));
  if (below.length === 0) return visit.below ? [] : [visit];
  // A leading `./` keeps a pattern of one segment relative to the directory: bare, it would match at any depth.
  return below.map((pattern) => ({ ...visit, pattern: `./${pattern}` }));
}

function visitsOf(table: MountTable, base: string, below: readonly Mount[]): Visit[] {
  const owner = table.ownerOf(base);
  return [
    { mount: owner, inner: toInner(owner, base), below: false },
    ...below.map((mount) => ({ mount, inner: "/", below: true })),
  ];
}

function outerRoot({ mount, inner }: Visit): string {
  const outer = toOuter(mount, inner);
  return outer.length > 1 && outer.endsWith("/") ? outer.slice(0, -1) : outer;
}

function isOwnedBy(table: MountTable, mount: Mount, path: string): boolean {
  const canonical = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  return table.ownerOf(canonical) === mount;
}

function sorted(files: readonly FileInfo[]): FileInfo[] {
  return files.toSorted((a, b) => comparePaths(a.path, b.path));
}
