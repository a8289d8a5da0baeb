import type { BackendProtocolV2 } from "@fs/protocol";
import type { HarnessLike } from "@fs/conformance";
import { expect } from "vitest";
import { conformance as register, type VitestOptions } from "../../src/vitest.js";
import { measuredTier, recordReport } from "./record-report.js";

export type { VitestOptions };

/**
 * `@fs/conformance/vitest` for `npm run conformance`: the harnesses of all packages run as they are written in their tests,
 * in the tier that is measured, and leave a report each.
 */
export function conformance<B extends BackendProtocolV2>(
  harness: HarnessLike<B>,
  options: VitestOptions = {},
): void {
  register(harness, {
    ...options,
    tier: measuredTier,
    onReport: async (report) => {
      const { testPath } = expect.getState();
      if (testPath === undefined) throw new Error("Vitest does not tell which file this is.");
      // A test of a few cases is no measurement of a deployment.
      if (options.only === undefined) recordReport(report, testPath);
      await options.onReport?.(report);
    },
  });
}
