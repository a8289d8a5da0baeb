import { contextRefusal, matchesByFile } from "../call/lines-of-context.js";
import { VolumeError } from "../errors/volume-error.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import type { GrepQuery } from "../spi/volume.js";
import { classifyFile } from "../text/classify.js";
import { searchLines, withoutCarriageReturn } from "../text/line-pattern.js";
import type { GrepMatch } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { getFile } from "./find.js";

/** How many lines before and after each match are wanted. */
export interface LinesAround {
  readonly before: number;
  readonly after: number;
}

/**
 * The matches with the lines around each, when asked for. Context is read here, above the hooks, so that it is the same
 * everywhere. A file may have changed since it was searched: its matches are those of the text that the context is of.
 *
 * @param cut Whether the last file may have more matches than are wanted of it.
 */
export async function withContextLines(
  context: VolumeContext,
  query: GrepQuery,
  matches: readonly GrepMatch[],
  { before, after }: LinesAround,
  cut: boolean,
): Promise<readonly GrepMatch[]> {
  if (before === 0 && after === 0) return matches;
  const refusal = contextRefusal(matches.length, before + after);
  if (refusal !== undefined) throw new VolumeError("invalid_argument", refusal);
  const files = [...matchesByFile(matches)];
  const last = files.at(-1)?.[0];
  const found = await mapConcurrently(files, context.concurrency, async ([path, group]) => {
    const text = await textOf(context, path, query);
    if (text === undefined) return [];
    const lines = linesOf(text);
    const limit = cut && path === last ? group.length : Infinity;
    return searchLines(text, query.pattern, limit).map((hit): GrepMatch => ({
      path,
      ...hit,
      ...(before > 0
        ? { before: lines.slice(Math.max(0, hit.line - 1 - before), hit.line - 1) }
        : {}),
      ...(after > 0 ? { after: lines.slice(hit.line, hit.line + after) } : {}),
    }));
  });
  return found.flat();
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map(withoutCarriageReturn);
}

/** The text of a file, where one is there still. */
async function textOf(
  { volume }: VolumeContext,
  path: string,
  query: GrepQuery,
): Promise<string | undefined> {
  const file = await getFile(volume, path, { signal: query.signal });
  const content = file === undefined ? undefined : classifyFile(path, file);
  return content?.kind === "text" ? content.text : undefined;
}
