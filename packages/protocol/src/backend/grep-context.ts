import { contextRefusal, matchesByFile } from "../call/lines-of-context.js";
import { VolumeError } from "../errors/volume-error.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import type { VolumeCall } from "../spi/volume.js";
import { classifyFile } from "../text/classify.js";
import { withoutCarriageReturn } from "../text/line-pattern.js";
import type { GrepMatch } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { getFile } from "./find.js";

/**
 * Adds the lines around each match, when asked for. Context is read here, above the hooks, so that it is the same
 * everywhere.
 */
export async function addContextLines(
  context: VolumeContext,
  matches: readonly GrepMatch[],
  before: number,
  after: number,
  call: VolumeCall,
): Promise<void> {
  if (before === 0 && after === 0) return;
  const refusal = contextRefusal(matches.length, before + after);
  if (refusal !== undefined) throw new VolumeError("invalid_argument", refusal);
  await mapConcurrently([...matchesByFile(matches)], context.concurrency, async ([path, group]) => {
    const lines = await linesOf(context, path, call);
    for (const match of group) {
      if (before > 0)
        match.before = lines.slice(Math.max(0, match.line - 1 - before), match.line - 1);
      if (after > 0) match.after = lines.slice(match.line, match.line + after);
    }
  });
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
