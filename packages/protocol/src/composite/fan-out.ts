import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import type { Failure } from "../types/outcome.js";
import type { Visit } from "./mount-table.js";
import { outwardFailure } from "./rewrite-paths.js";

/** Mounts asked at the same time. */
const WIDTH = 16;

/** What a call answers when it has not failed. */
type Answer<R> = Exclude<R, Failure>;

/** What came back from all visits: the answers, and the failures in the caller's words. */
export interface Gathered<R, V extends Visit = Visit> {
  readonly answers: ReadonlyArray<{ visit: V; result: Answer<R> }>;
  readonly failures: ReadonlyArray<{ visit: V; failure: Failure }>;
}

/** Makes all visits, a bounded number at a time. */
export async function gather<R extends { error?: string }, V extends Visit>(
  visits: readonly V[],
  call: (visit: V) => Promise<R>,
): Promise<Gathered<R, V>> {
  const answers: Array<{ visit: V; result: Answer<R> }> = [];
  const failures: Array<{ visit: V; failure: Failure }> = [];
  const results = await mapConcurrently(visits, WIDTH, (visit) =>
    outcomeOf(async () => call(visit)),
  );
  for (const [index, visit] of visits.entries()) {
    const settled = results[index];
    const result = settled?.status === "fulfilled" ? settled.value : undefined;
    if (result !== undefined && result.error === undefined)
      answers.push({ visit, result: result as Answer<R> });
    else
      failures.push({
        visit,
        failure: outwardFailure(
          visit.mount,
          // A backend may throw, against the protocol: then that is a failed result too.
          (result as Failure | undefined) ??
            failureFromThrown(
              settled?.status === "rejected" ? settled.reason : undefined,
              visit.inner,
            ),
          [visit.inner],
        ),
      });
  }
  return { answers, failures };
}

/**
 * The failures that count. A directory that holds a mount exists, so that its owner may miss it: `not_found` and
 * `not_directory` of the owner are then no failure.
 */
export function relevantFailures<R>({ failures }: Gathered<R>, holdsMounts: boolean): Failure[] {
  return failures
    .filter(({ visit, failure }) => visit.below || !(holdsMounts && saysMissing(failure)))
    .map(({ failure }) => failure);
}

function saysMissing({ code }: Failure): boolean {
  return code === "not_found" || code === "not_directory";
}

/** The warnings of those that answered, and the call's own. */
export function allWarnings(
  answers: readonly { readonly result: { readonly warnings?: string[] } }[],
  own: readonly string[] = [],
): { warnings?: string[] } {
  const warnings = [...answers.flatMap(({ result }) => result.warnings ?? []), ...own];
  return warnings.length === 0 ? {} : { warnings: [...new Set(warnings)] };
}

/**
 * One failure for the whole call, or with `partial` the sentences to report beside the rest, unless nothing answered.
 */
export function verdict(
  failures: readonly Failure[],
  partial: boolean,
  answered: boolean,
): { failure?: Failure; warnings?: string[] } {
  const [first] = failures;
  if (first === undefined) return {};
  if (!partial || !answered) return { failure: first };
  return { warnings: failures.map(({ error }) => error) };
}
