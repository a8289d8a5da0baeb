import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import type { ResultBase } from "../types/results.js";
import type { Mount } from "./mount-table.js";
import { outwardFailure } from "./rewrite-paths.js";

/** Mounts asked at the same time. */
const WIDTH = 16;

/** One call of a fan-out. */
export interface Visit {
  readonly mount: Mount;
  /** Where to search, as the mount's backend knows it. */
  readonly inner: string;
  /** The pattern for it, where the call has one. */
  readonly pattern?: string | undefined;
  /** True for a mount below the searched directory: whether that exists is not for it to say. */
  readonly below: boolean;
}

/** Calls a backend that may throw, against the protocol: then that is a failed result too. */
async function settle<R extends ResultBase>(
  path: unknown,
  call: () => R | Promise<R>,
): Promise<{ result: R; failure?: undefined } | { failure: ResultBase }> {
  try {
    const result = await call();
    return result.error === undefined ? { result } : { failure: result };
  } catch (error) {
    return { failure: failureFromThrown(error, path) };
  }
}

/** What came back from all visits: the answers, and the failures in the caller's words. */
export interface Gathered<R> {
  readonly answers: ReadonlyArray<{ visit: Visit; result: R }>;
  readonly failures: ReadonlyArray<{ visit: Visit; failure: ResultBase }>;
}

/** Makes all visits, a bounded number at a time. */
export async function gather<R extends ResultBase>(
  visits: readonly Visit[],
  call: (visit: Visit) => R | Promise<R>,
): Promise<Gathered<R>> {
  const results = await mapConcurrently(visits, WIDTH, async (visit) => ({
    visit,
    settled: await settle(visit.inner, () => call(visit)),
  }));
  const answers: Array<{ visit: Visit; result: R }> = [];
  const failures: Array<{ visit: Visit; failure: ResultBase }> = [];
  for (const { visit, settled } of results) {
    if (settled.failure === undefined) answers.push({ visit, result: settled.result });
    else
      failures.push({
        visit,
        failure: outwardFailure(visit.mount, settled.failure, [visit.inner]),
      });
  }
  return { answers, failures };
}

/**
 * The failures that count. A directory that holds a mount exists, so that its owner may miss it: `not_found` and
 * `not_directory` of the owner are then no failure.
 */
export function relevantFailures<R>({ failures }: Gathered<R>, holdsMounts: boolean): ResultBase[] {
  return failures
    .filter(({ visit, failure }) => visit.below || !(holdsMounts && saysMissing(failure)))
    .map(({ failure }) => failure);
}

function saysMissing({ code, error }: ResultBase): boolean {
  if (code !== undefined) return code === "not_found" || code === "not_directory";
  return error !== undefined && /not found|no such|not a directory/i.test(error);
}

/**
 * One failure for the whole call, or with `partial` the sentences to report beside the rest, unless nothing answered.
 */
export function verdict(
  failures: readonly ResultBase[],
  partial: boolean,
  answered: boolean,
): { failure?: ResultBase; warnings?: string[] } {
  const [first] = failures;
  if (first === undefined) return {};
  if (!partial || !answered) return { failure: first };
  return { warnings: failures.map(({ error }) => error ?? "A route failed.") };
}
