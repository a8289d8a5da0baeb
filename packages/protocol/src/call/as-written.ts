import { failureAbout, quote } from "../errors/messages.js";
import { canonicalPath } from "../paths/path.js";
import type { Sentence } from "../types/outcome.js";

/**
 * A failed result whose sentence names paths as the caller wrote them: what is below the border of a backend knows canonical ones
 * alone. Every other result as it is.
 *
 * @param written The paths of the call.
 * @param resolve What becomes of a path before it is made canonical, where a backend has such a step.
 */
export function asWritten<R>(
  result: R,
  written: readonly unknown[],
  resolve: (path: unknown) => unknown = (path) => path,
): R {
  const { error }: { error?: Sentence } = result as object;
  if (error === undefined) return result;
  const names = new Map<string, string>();
  for (const path of written) {
    const canonical = canonicalOrNone(path, resolve);
    if (typeof path === "string" && canonical !== undefined && canonical !== path)
      names.set(canonical, path);
  }
  if (names.size === 0) return result;
  const renamed = failureAbout(result, (path) => names.get(path) ?? path);
  if (renamed !== undefined) return renamed;
  // What follows the first line are lines of a file, in which a path is not the call's.
  const [first = "", ...lines] = error.split("\n");
  let sentence = first;
  for (const [canonical, path] of names)
    sentence = sentence.replaceAll(quote(canonical), () => quote(path));
  return { ...result, error: [sentence, ...lines].join("\n") };
}

function canonicalOrNone(path: unknown, resolve: (path: unknown) => unknown): string | undefined {
  try {
    const canonical = canonicalPath(resolve(path));
    return canonical.failure === undefined ? canonical.path : undefined;
  } catch {
    // A path that a backend refuses to resolve was the failure, and its sentence names it already.
    return undefined;
  }
}
