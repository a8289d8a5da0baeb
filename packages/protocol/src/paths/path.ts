import { failure, quote } from "../errors/messages.js";
import { utf8Length } from "../host/utf8-length.js";
import type { Failure } from "../types/outcome.js";

/** Bytes of UTF-8 that one segment may have, as on every common disk. */
export const MAX_SEGMENT_BYTES = 255;
/** Bytes of UTF-8 that a whole path may have, as `PATH_MAX` on Linux. */
export const MAX_PATH_BYTES = 4096;

/** A canonical path, or why there is none. */
export type Canonical = { path: string; failure?: undefined } | { failure: Failure };

/** Ordinary canonical paths but the root, seen at a glance: printable ASCII, no segment that is `.`, `..` or `~`. */
const ORDINARY = /^(?:\/(?!(?:\.{1,2}|~)(?:\/|$))[ -.0-~]{1,255})+$/;

// The C0 range and DEL: never part of a name, whatever the storage would allow.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The canonical form of a path that names a directory, or may name either: absolute, no empty or `.` segment, no
 * trailing slash except for `/` itself.
 *
 * @returns `{ path }`, or `{ failure }` with `invalid_path` and a sentence that says what is wrong.
 */
export function canonicalPath(input: unknown): Canonical {
  if (typeof input !== "string") return invalid(input, "a path must be a string");
  if (input === "") return invalid(input, "a path must not be empty; the root is '/'");
  // A string of more than this many code units cannot fit, so huge input costs nothing below.
  if (input.length > MAX_PATH_BYTES)
    return invalid(input, `it is longer than ${MAX_PATH_BYTES} bytes`);
  if (ORDINARY.test(input)) return { path: input };
  if (!input.isWellFormed()) return invalid(input, "it holds half of a surrogate pair");
  if (CONTROL.test(input)) return invalid(input, "it holds a control character");
  if (!input.startsWith("/")) return relative(input);
  const segments: string[] = [];
  for (const segment of input.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") return invalid(input, "'..' is not allowed; write the path it leads to");
    if (segment === "~") return invalid(input, "'~' is not allowed; write the absolute path");
    if (segment.length * 3 > MAX_SEGMENT_BYTES && utf8Length(segment) > MAX_SEGMENT_BYTES) {
      return invalid(input, `a name in it is longer than ${MAX_SEGMENT_BYTES} bytes`);
    }
    segments.push(segment);
  }
  const path = `/${segments.join("/")}`;
  if (path.length * 3 > MAX_PATH_BYTES && utf8Length(path) > MAX_PATH_BYTES) {
    return invalid(input, `it is longer than ${MAX_PATH_BYTES} bytes`);
  }
  return { path };
}

/** As {@link canonicalPath}, for a path that must name a file: a trailing slash and the root itself are refused. */
export function canonicalFilePath(input: unknown): Canonical {
  const canonical = canonicalPath(input);
  if (canonical.failure !== undefined) return canonical;
  if (canonical.path === "/") return { failure: failure("is_directory", "/") };
  if (typeof input === "string" && /\/\.?$/.test(input)) {
    return invalid(input, "a file's path must not end in '/'");
  }
  return canonical;
}

/** Returns whether a text is the canonical path of a file. For keys of a storage that others may have written. */
export function isCanonicalFilePath(text: string): boolean {
  const canonical = canonicalFilePath(text);
  return canonical.failure === undefined && canonical.path === text;
}

function invalid(input: unknown, why: string): Canonical {
  return {
    failure: failure("invalid_path", input, `${quote(input)} is not a valid path: ${why}.`),
  };
}

function relative(input: string): Canonical {
  const absolute = canonicalPath(`/${input}`);
  const example = absolute.failure === undefined ? `, as in ${quote(absolute.path)}` : "";
  return invalid(input, `paths must be absolute${example}`);
}
