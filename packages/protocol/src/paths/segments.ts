/** The segments of a canonical path; none for `/`. */
export function segmentsOf(path: string): string[] {
  return path === "/" ? [] : path.slice(1).split("/");
}

/** The directory a canonical path lies in; `/` for the root itself. */
export function parentOf(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut <= 0 ? "/" : path.slice(0, cut);
}

/** The last segment of a canonical path; `""` for the root. */
export function basenameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Every proper ancestor of a canonical path but the root, nearest last: `/a/b/c` → `/a`, `/a/b`. */
export function ancestorsOf(path: string): string[] {
  const ancestors: string[] = [];
  for (let cut = path.indexOf("/", 1); cut !== -1; cut = path.indexOf("/", cut + 1)) {
    ancestors.push(path.slice(0, cut));
  }
  return ancestors;
}

/** Joins a canonical directory and a relative path. */
export function joinPath(directory: string, relative: string): string {
  if (relative === "") return directory;
  return directory === "/" ? `/${relative}` : `${directory}/${relative}`;
}

/** The prefix that everything below a canonical directory starts with. */
export function prefixOf(directory: string): string {
  return directory === "/" ? "/" : `${directory}/`;
}

/** Returns whether a canonical path is a directory itself or lies anywhere below it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(prefixOf(directory));
}

/** Compares by UTF-16 code unit, the order of every listing. Never by locale. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
