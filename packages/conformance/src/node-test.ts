/**
 * The suite as tests of `node:test`, one per case.
 *
 * @module
 */
import { after, describe, test } from "node:test";
import type { BackendProtocolV2 } from "@fs/protocol";
import { seeded } from "./engine/environment-seed.js";
import { byWeight } from "./engine/heavy.js";
import { Session, type RunOptions } from "./engine/session.js";
import { testNameOf, verdictOf } from "./engine/verdict.js";
import type { HarnessLike } from "./harness/harness.js";
import type { Report } from "./report/report.js";

export interface NodeTestOptions extends RunOptions {
  /** Is called with the report once all tests of the suite have run. */
  readonly onReport?: (report: Report) => void | Promise<void>;
}

/**
 * Registers the suite: `describe` named after the harness, one `test` per case. Cases run beside each other, as many as
 * the harness's `concurrency` allows; heavy ones come last and run alone.
 *
 * @example
 * import { conformance } from "@fs/conformance/node-test";
 * conformance({ name: "mine", create: ({ ns }) => new MyBackend(ns) });
 */
export function conformance<B extends BackendProtocolV2>(
  harness: HarnessLike<B>,
  options: NodeTestOptions = {},
): void {
  const session = new Session(harness, seeded(options));
  // The runner awaits a suite that it was told of.
  void describe(
    `conformance of ${session.harness.name}`,
    { concurrency: session.concurrency },
    () => {
      const { light, heavy } = byWeight(session.cases);
      for (const tested of [...light, ...heavy]) {
        void test(testNameOf(tested), async (t) => {
          const verdict = verdictOf(await session.run(tested));
          if (verdict.skip !== undefined) t.skip(verdict.skip);
          if (verdict.failure !== undefined) throw verdict.failure;
        });
      }
      after(async () => {
        const report = await session.finish();
        await options.onReport?.(report);
      });
    },
  );
}
