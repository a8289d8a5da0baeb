import { VolumeError } from "../errors/volume-error.js";
import { compiled } from "../glob/compiled.js";
import { compileFilter } from "../glob/path-glob.js";
import { parentOf } from "../paths/segments.js";
import type { GrepQuery, VolumeCall } from "../spi/volume.js";
import { compileLinePattern } from "../text/line-pattern.js";
import { isMediaPath } from "../text/mime.js";
import type { GrepOptions } from "../types/options.js";
import type { GrepMatch, GrepResult } from "../types/results.js";
import { countArgument } from "../call/arguments.js";
import type { VolumeContext } from "./context.js";
import { statPath } from "./find.js";
import { withContextLines } from "./grep-context.js";
import { HitsByFile } from "./hits-by-file.js";
import { LeftOut } from "./left-out.js";
import { scanFiles } from "./scan-files.js";

/** The matching lines at or below `root`, sorted by path and line. Throws `invalid_argument`, `invalid_pattern`, `not_found`. */
export async function grepFiles(
  context: VolumeContext,
  pattern: unknown,
  root: string,
  glob: string | null | undefined,
  maxCount: number | null | undefined,
  options: GrepOptions,
): Promise<GrepResult> {
  const { signal } = options;
  const before = countArgument("before", options.before ?? 0);
  const after = countArgument("after", options.after ?? 0);
  const cap =
    maxCount === undefined || maxCount === null ? Infinity : countArgument("maxCount", maxCount);
  const line = await compileLinePattern(pattern, options);
  if (line.failure !== undefined) throw new VolumeError(line.failure.code, line.failure.error);
  // One more than the cap tells whether there were more.
  const leftOut = new LeftOut();
  const query = {
    ...filterOf(glob, root),
    pattern: line.pattern,
    root,
    limit: cap + 1,
    signal,
    onUnreadable: leftOut.note,
  };
  const found = await search(context, query);
  if (found.length === 0) await refuseMissingRoot(context, root, { signal });
  const cut = found.length > cap;
  const wanted = cut ? found.slice(0, cap) : found;
  const around = await withContextLines(context, query, wanted, { before, after }, cut);
  // A file that has changed since it was searched may have more matches than before.
  const matches = around.slice(0, cap);
  const partial = leftOut.warnings;
  return cut || around.length > cap
    ? { matches, truncated: true, ...partial }
    : { matches, ...partial };
}

function filterOf(glob: unknown, root: string): Pick<GrepQuery, "accepts" | "glob"> {
  if (glob === undefined || glob === null || glob === "")
    return { accepts: (path) => !isMediaPath(path) };
  const below = compiled(compileFilter(glob, root));
  const itself = compiled(compileFilter(glob, parentOf(root)));
  return {
    glob: below,
    // A file as root is filtered by its own name, as if its directory had been searched.
    accepts: (path) => !isMediaPath(path) && (path === root ? itself : below).matches(path),
  };
}

async function search(context: VolumeContext, query: GrepQuery): Promise<GrepMatch[]> {
  // R7: a file with a NUL is binary. Not every storage takes one in a text that it looks for.
  if (!query.pattern.regex && query.pattern.source.includes("\0")) return [];
  const stream = await context.volume.grep?.(query);
  if (stream === undefined) return scanFiles(context, query);
  if (!stream.sorted) {
    const files = new HitsByFile(query.accepts);
    for await (const batch of stream.batches) files.add(batch);
    return files.inOrder(query.limit);
  }
  const matches: GrepMatch[] = [];
  for await (const batch of stream.batches) {
    for (const { path, line, text } of batch) {
      if (path !== matches.at(-1)?.path && !query.accepts(path)) continue;
      matches.push({ path, line, text });
    }
    if (matches.length >= query.limit) return matches.slice(0, query.limit);
  }
  return matches;
}

async function refuseMissingRoot(
  { volume }: VolumeContext,
  root: string,
  call: VolumeCall,
): Promise<void> {
  if (root !== "/" && (await statPath(volume, root, call)) === undefined) {
    throw new VolumeError("not_found");
  }
}
