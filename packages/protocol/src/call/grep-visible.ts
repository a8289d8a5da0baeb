import { isPromise } from "../concurrency/maybe-promise.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import type { ErrorCode } from "../errors/codes.js";
import { failure } from "../errors/messages.js";
import type { GrepOptions } from "../types/options.js";
import type { Failure, MaybePromise } from "../types/outcome.js";
import type { Filesystem } from "../types/protocol.js";
import type { GrepMatch, GrepResult } from "../types/results.js";
import { contextRefusal, matchesByFile } from "./lines-of-context.js";

/** How much more is asked for when hidden matches used up the cap. */
const GROWTH = 4;
/** Files whose lines of context are asked for at the same time. */
const WIDTH = 16;
/** A file that went meanwhile has no matches. */
const GONE: ReadonlySet<ErrorCode> = new Set(["not_found", "not_directory"]);

type GrepArguments = Parameters<Filesystem["grep"]>;
/** Leaves out the hidden ones, whole files of them. */
type Visible = (matches: readonly GrepMatch[]) => MaybePromise<GrepMatch[]>;

/**
 * The visible matches of a search, as if the hidden ones did not exist: neither the number nor `truncated` nor a refusal of too many
 * lines of context depends on them. While hidden matches use up the cap, the cap that is asked for is quadrupled; it is never
 * dropped, so that the cost stays proportional to the answer.
 *
 * @param grep Searches all files.
 * @param args What the caller searches for.
 */
export async function grepVisible(
  grep: Filesystem["grep"],
  args: GrepArguments,
  visible: Visible,
): Promise<GrepResult> {
  const [pattern, path, filter, maxCount, options] = args;
  if (maxCount === undefined || maxCount === null) {
    const found = await grep(pattern, path, filter, null, options);
    if (found.error !== undefined) return orWithContextLater(found, grep, args, visible);
    const seen = visible(found.matches);
    return { ...found, matches: isPromise(seen) ? await seen : seen };
  }
  // One more than the cap shows whether there are more.
  for (let cap = maxCount + 1; ; cap *= GROWTH) {
    const { truncated, ...found } = await grep(pattern, path, filter, cap, options);
    if (found.error !== undefined) return orWithContextLater(found, grep, args, visible);
    const matches = await visible(found.matches);
    if (matches.length > maxCount)
      return { ...found, matches: matches.slice(0, maxCount), truncated: true };
    if (truncated !== true) return { ...found, matches };
    // A backend may stop at a cap of its own; asking for more would then never end.
    if (found.matches.length < cap) return { ...found, matches, truncated };
  }
}

/**
 * The failure of a search; but where hidden matches may have been too many for their context, the search without it, and then
 * the context in the files of the visible ones alone.
 */
async function orWithContextLater(
  refused: Failure,
  grep: Filesystem["grep"],
  args: GrepArguments,
  visible: Visible,
): Promise<GrepResult> {
  const [pattern, path, filter, maxCount, options] = args;
  if (refused.code !== "invalid_argument" || linesOfContext(options) === 0) return refused;
  const { before: _before, after: _after, ...plain } = options ?? {};
  const found = await grepVisible(grep, [pattern, path, filter, maxCount, plain], visible);
  if (found.error !== undefined) return found;
  const refusal = contextRefusal(found.matches.length, linesOfContext(options));
  if (refusal !== undefined) return failure("invalid_argument", path, refusal);
  const files = [...matchesByFile(found.matches)];
  const results = await mapConcurrently(files, WIDTH, ([file, matches]) =>
    // No filter: the file has passed it, and one with a slash would be read from the file's directory.
    grep(pattern, file, null, matches.length, options),
  );
  const failed = results.find(({ code }) => code !== undefined && !GONE.has(code));
  return failed ?? { ...found, matches: results.flatMap(({ matches }) => matches ?? []) };
}

/** `before` and `after` together; 0 where they are no numbers, which the backend refuses. */
function linesOfContext(options: GrepOptions | null | undefined): number {
  const sum = (options?.before ?? 0) + (options?.after ?? 0);
  return Number.isSafeInteger(sum) ? sum : 0;
}
