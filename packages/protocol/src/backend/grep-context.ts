import { VolumeError } from "../errors/volume-error.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import type { VolumeCall, VolumeHit } from "../spi/volume.js";
import { classifyFile } from "../text/classify.js";
import { withoutCarriageReturn } from "../text/line-pattern.js";
import type { GrepMatch } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { getFile } from "./find.js";

/** Lines of context that one answer may hold. */
const MAX_CONTEXT_LINES = 200_000;

/**
 * Hits as callers see them, with the lines around each when asked for. Context is read here, above the hooks, so that it
 * is the same everywhere.
 */
export async function withContextLines(
  context: VolumeContext,
  hits: readonly VolumeHit[],
  before: number,
  after: number,
  call: VolumeCall,
): Promise<GrepMatch[]> {
  const plain = hits.map(({ path, line, text }): GrepMatch => ({ path, line, text }));
  if (before === 0 && after === 0) return plain;
  const byPath = new Map<string, GrepMatch[]>();
  for (const match of plain) {
    const group = byPath.get(match.path);
    if (group === undefined) byPath.set(match.path, [match]);
    else group.push(match);
  }
  if (plain.length * (before + after) > MAX_CONTEXT_LINES)
    throw new VolumeError(
      "invalid_argument",
      `${plain.length} matches with ${before + after} lines of context each are more than ${MAX_CONTEXT_LINES} lines. Ask for fewer lines, or give a maxCount.`,
    );
  await mapConcurrently([...byPath], context.concurrency, async ([path, matches]) => {
    const lines = await linesOf(context, path, call);
    for (const match of matches) {
      if (before > 0)
        match.before = lines.slice(Math.max(0, match.line - 1 - before), match.line - 1);
      if (after > 0) match.after = lines.slice(match.line, match.line + after);
    }
  });
  return plain;
}

async function linesOf(
  { volume }: VolumeContext,
  path: string,
  call: VolumeCall,
): Promise<string[]> {
  const file = await getFile(volume, path, call);
  const content = file === undefined ? undefined : classifyFile(path, file);
  if (content?.kind !== "text") return [];
  const lines = content.text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map(withoutCarriageReturn);
}
