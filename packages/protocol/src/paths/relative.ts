import { segmentsOf } from "./segments.js";

/**
 * The absolute path that a relative one leads to. `.` and `..` are resolved by name, and `..` stops at the root. The empty
 * path stays empty: no file has it.
 *
 * @param cwd Absolute.
 */
export function resolvePath(cwd: string, path: string): string {
  if (path === "") return path;
  const kept: string[] = [];
  for (const segment of [...(path.startsWith("/") ? [] : segmentsOf(cwd)), ...path.split("/")]) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}`;
}
