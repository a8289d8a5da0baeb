/**
 * The suite as vitest tests, one per case.
 *
 * @module
 */
import type { BackendProtocolV2 } from "@fs/protocol";
import { afterAll, describe, test } from "vitest";
import { seeded } from "./engine/environment-seed.js";
import { byWeight, isHeavy } from "./engine/heavy.js";
import { Session, type RunOptions } from "./engine/session.js";
import { testNameOf, verdictOf } from "./engine/verdict.js";
import type { HarnessLike } from "./harness/harness.js";
import type { Report } from "./report/report.js";

export interface VitestOptions extends RunOptions {
  /** Is called with the report once all tests of the suite have run. */
  readonly onReport?: (report: Report) => void | Promise<void>;
}

/**
 * Registers the suite: `describe` named after the harness, one `test` per case. A case that does not apply is skipped with
 * its reason, one that is expected to fail passes while it fails. Cases run beside each other, as many as the harness's
 * `concurrency` and vitest's `maxConcurrency` allow; heavy ones come last and run alone.
 *
 * @example
 * import { conformance } from "@fs/conformance/vitest";
 * conformance({ name: "mine", create: ({ ns }) => new MyBackend(ns) });
 */
export function conformance<B extends BackendProtocolV2>(
  harness: HarnessLike<B>,
  options: VitestOptions = {},
): void {
  const session = new Session(harness, seeded(options));
  const limit = session.timeoutMs;
  describe(`conformance of ${session.harness.name}`, () => {
    const { light, heavy } = byWeight(session.cases);
    for (const tested of [...light, ...heavy]) {
      const register = isHeavy(tested) || session.concurrency === 1 ? test : test.concurrent;
      // The suite has its own limit, which says more than the runner's; this one only catches a harness that hangs.
      const timeout = session.longestMs(tested) + 60_000;
      register(testNameOf(tested), { timeout }, async ({ skip }) => {
        const verdict = verdictOf(await session.run(tested));
        if (verdict.skip !== undefined) skip(verdict.skip);
        if (verdict.failure !== undefined) throw verdict.failure;
      });
    }
    afterAll(async () => {
      const report = await session.finish();
      await options.onReport?.(report);
      // What is removed then may be thousands of files, on a machine that has other work.
    }, limit + 60_000);
  });
}
