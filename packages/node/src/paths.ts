/** A path as `node:fs` takes it. */
export type PathLike = string | Buffer | URL;

/** The text of a path as its caller wrote it. Throws a TypeError for what is no path. */
export function pathText(path: PathLike): string {
  if (typeof path === "string") return path;
  if (Buffer.isBuffer(path)) return path.toString();
  if (path instanceof URL && path.protocol === "file:") return decodeURIComponent(path.pathname);
  throw new TypeError("A path must be a string, a Buffer or a URL of the scheme 'file:'.");
}
