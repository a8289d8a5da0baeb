import { failureAbout } from "../errors/messages.js";
import type { Sentence } from "../types/outcome.js";
import { toOuter, type Mount } from "./mount-table.js";

/**
 * A failed result whose sentence names the caller's paths in place of the inner ones.
 *
 * @param inner The paths that the backend was called with.
 */
export function outwardFailure<R>(mount: Mount, result: R, inner: readonly string[]): R {
  const { error }: { error?: Sentence } = result as object;
  if (error === undefined || mount.prefix === "/") return result;
  const renamed = failureAbout(result, (path) => withoutSlash(toOuter(mount, path)));
  if (renamed !== undefined) return renamed;
  // A sentence of a foreign backend, or one of ours with more to say than the path.
  return { ...result, error: outwardSentence(mount, error, inner) };
}

function outwardSentence(mount: Mount, sentence: string, inner: readonly string[]): string {
  // Longest first, so that a directory does not rewrite the head of a file below it.
  const paths = [...new Set(inner)].toSorted((a, b) => b.length - a.length);
  if (paths.length === 0) return sentence;
  // Foreign sentences quote in their own way: brackets and quotation marks of any script.
  const pattern = new RegExp(
    `(^|[\\s'"\`:=<\\p{Ps}\\p{Pi}\\p{Pf}])(${paths.map(escape).join("|")})(?=$|[\\s'"\`,.;:!?>\\p{Pe}\\p{Pi}\\p{Pf}])`,
    "gu",
  );
  return sentence.replace(
    pattern,
    (_, before: string, path: string) => before + withoutSlash(toOuter(mount, path)),
  );
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

interface ChangedPaths {
  error?: Sentence;
  path?: string;
  filesUpdate?: Record<string, unknown> | null;
}

/** A result with the caller's paths: in the sentence that fails it, in `path` and in the deprecated `filesUpdate`. */
export function outward<R extends object>(mount: Mount, result: R, inner: readonly string[]): R {
  const { error, path, filesUpdate } = result as ChangedPaths;
  if (error !== undefined) return outwardFailure(mount, result, inner);
  if (path === undefined && filesUpdate === undefined) return result;
  return {
    ...result,
    ...(path === undefined ? {} : { path: toOuter(mount, path) }),
    ...(filesUpdate === undefined || filesUpdate === null
      ? {}
      : { filesUpdate: outwardKeys(mount, filesUpdate) }),
  };
}

function outwardKeys(mount: Mount, update: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(update).map(([path, data]) => [toOuter(mount, path), data]),
  );
}
