import { isPromise } from "../concurrency/maybe-promise.js";
import type { MaybePromise } from "../types/outcome.js";
import type { GrepMatch, GrepResult } from "../types/results.js";

/** How much more is asked for when hidden matches used up the cap. */
const GROWTH = 4;

/**
 * The visible matches of a search, as if the hidden ones did not exist: neither the number nor `truncated` depends on them.
 * While hidden matches use up the cap, the cap that is asked for is quadrupled; it is never dropped, so that the cost stays
 * proportional to the answer.
 *
 * @param ask Searches with a cap, or with `null` without one.
 * @param visible Leaves out the hidden ones.
 */
export async function grepVisible(
  ask: (maxCount: number | null) => Promise<GrepResult>,
  visible: (matches: readonly GrepMatch[]) => MaybePromise<GrepMatch[]>,
  maxCount: number | null | undefined,
): Promise<GrepResult> {
  if (maxCount === undefined || maxCount === null) {
    const found = await ask(null);
    if (found.error !== undefined) return found;
    const seen = visible(found.matches);
    return { ...found, matches: isPromise(seen) ? await seen : seen };
  }
  // One more than the cap shows whether there are more.
  for (let cap = maxCount + 1; ; cap *= GROWTH) {
    const { truncated, ...found } = await ask(cap);
    if (found.error !== undefined) return found;
    const matches = await visible(found.matches);
    if (matches.length > maxCount)
      return { ...found, matches: matches.slice(0, maxCount), truncated: true };
    if (truncated !== true) return { ...found, matches };
    // A backend may stop at a cap of its own; asking for more would then never end.
    if (found.matches.length < cap) return { ...found, matches, truncated };
  }
}
