import { segmentsOf } from "@fs/protocol/author";

/** A path as `node:fs` takes it. */
export type PathLike = string | Buffer | URL;

/** The text of a path as its caller wrote it. Throws a TypeError for what is no path. */
export function pathText(path: PathLike): string {
  if (typeof path === "string") return path;
  if (Buffer.isBuffer(path)) return path.toString();
  if (path instanceof URL && path.protocol === "file:") return decodeURIComponent(path.pathname);
  throw new TypeError("A path must be a string, a Buffer or a URL of the scheme 'file:'.");
}

/**
 * The absolute path that a relative one leads to. `.` and `..` are resolved by name, and `..` stops at the root. The empty
 * path stays empty: no file has it.
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
