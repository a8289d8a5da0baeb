import type { Filesystem } from "@fs/protocol";
import { prefixOf } from "@fs/protocol/author";
import type { FilesystemGrepOptions, FilesystemGrepResult } from "@mastra/core/workspace";

/** Characters that are no plain text in a pattern of JavaScript. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/;

/** Patterns that mean the same in JavaScript and in backends: no groups with a question mark, no ends of lines, few escapes. */
const SAME = /^(?:[^\\$]|\\[bBwWdD.^$*+?()[\]{}|\\/-])*$/;

/** A search by the backend, in one call. `undefined`: it could differ from Mastra's own. */
export async function nativeGrep(
  backend: Filesystem,
  root: string,
  { pattern, caseSensitive, includeHidden, ...options }: FilesystemGrepOptions,
): Promise<FilesystemGrepResult[] | undefined> {
  const regex = SPECIAL.test(pattern);
  const isPlain = /^[\x20-\x7e]+$/.test(pattern) && SAME.test(pattern) && !pattern.includes("(?");
  const { contextLines = 0 } = options;
  // Mastra's own search has one more line at the end of a file, which shows as context.
  if (!isPlain || contextLines > 0) return undefined;
  const { maxCountPerFile = Infinity, maxTotalMatches = Infinity } = options;
  const most = maxTotalMatches === Infinity ? null : maxTotalMatches;
  const found = await backend.grep(pattern, root, null, most, {
    regex,
    ignoreCase: !caseSensitive,
  });
  if (found.error !== undefined || found.warnings !== undefined) return undefined;
  const matcher = new RegExp(pattern, caseSensitive ? "" : "i");
  const results = new Map<string, FilesystemGrepResult>();
  let total = 0;
  for (const { path, line, text } of found.matches) {
    const relative = path.slice(prefixOf(root).length);
    if (!includeHidden && `/${relative}`.includes("/.")) continue;
    const column = text.search(matcher);
    if (column === -1) return undefined;
    const result = results.get(relative) ?? { path: relative, matches: [] };
    results.set(relative, result);
    if (result.matches.length >= maxCountPerFile) continue;
    total++;
    result.matches.push({ line, column, text });
  }
  // What was cut off might have been what is left out here.
  return found.truncated === true && total < maxTotalMatches ? undefined : [...results.values()];
}
