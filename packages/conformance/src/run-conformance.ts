import type { BackendProtocolV2 } from "@fs/protocol";
import type { Case } from "./cases/case.js";
import { byWeight } from "./engine/heavy.js";
import { Session, type RunOptions } from "./engine/session.js";
import type { HarnessLike } from "./harness/harness.js";
import { BAD_STATUSES, type CaseOutcome, type Report } from "./report/report.js";

export interface ConformanceOptions extends RunOptions {
  /** Is called with every case as it ends. */
  readonly onCase?: (outcome: CaseOutcome) => void;
  /** Begins no further case once one has failed; the others are `not-run`. Default `false`. */
  readonly bail?: boolean;
}

/**
 * Runs the suite on a backend, without a test runner. Never throws for what the backend does; throws for a filter that
 * selects nothing.
 *
 * @example
 * const report = await runConformance(() => new MyBackend(), { tier: "quick" });
 * for (const { text } of report.cases) if (text !== undefined) console.log(text);
 * process.exitCode = report.ok ? 0 : 1;
 */
export async function runConformance<B extends BackendProtocolV2>(
  harness: HarnessLike<B>,
  options: ConformanceOptions = {},
): Promise<Report> {
  const session = new Session(harness, options);
  const { light, heavy } = byWeight(session.cases);
  let failed = false;
  const work = async (queue: Iterable<Case>): Promise<void> => {
    // The workers share one iterator: each takes the next case that nobody has begun.
    for (const tested of queue) {
      if (failed && options.bail === true) return;
      const outcome = await session.run(tested);
      failed ||= BAD_STATUSES.has(outcome.status);
      options.onCase?.(outcome);
    }
  };
  const shared = light.values();
  await Promise.all(Array.from({ length: session.concurrency }, () => work(shared)));
  await work(heavy);
  return session.finish();
}
