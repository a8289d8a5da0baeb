import { expandBraces } from "@fs/protocol/hooks";

/**
 * `LIKE` patterns that every path a glob matches meets: what the file's name must look like. Others may meet them too;
 * the glob decides. `undefined` when they would rule nothing out.
 *
 * @param source The glob as its caller wrote it.
 */
export function namePatterns(source: string): string[] | undefined {
  const expanded = expandBraces(source);
  if (expanded.problem !== undefined) return undefined;
  const patterns = new Set<string>();
  for (const alternative of expanded.alternatives) {
    const pattern = namePattern(alternative);
    if (pattern === "%/%") return undefined;
    patterns.add(pattern);
  }
  return [...patterns];
}

/** The last segment for `LIKE`. Its wildcards span slashes, and a name with a class or an escape counts as anything. */
function namePattern(glob: string): string {
  if (/[[\\]/.test(glob)) return "%/%";
  const name = glob.slice(glob.lastIndexOf("/") + 1);
  const like = name.replace(/\*+|\?|[^*?]+/g, (part) =>
    part.startsWith("*") ? "%" : part === "?" ? "_" : likeLiteral(part),
  );
  return `%/${like}`;
}

/** A text that `LIKE` takes literally. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
