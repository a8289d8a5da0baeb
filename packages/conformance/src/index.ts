/**
 * One conformance suite for any filesystem backend, without a test runner. `@fs/conformance/vitest` and
 * `@fs/conformance/node-test` register the same cases as tests.
 *
 * @module
 */
export { runConformance, type ConformanceOptions } from "./run-conformance.js";
export { Session, type RunOptions } from "./engine/session.js";
export type * from "./harness/harness.js";
export {
  type Capability,
  completeProfile,
  type DeclaredProfile,
  DEFAULT_PROFILE,
  type Profile,
} from "./harness/profile.js";
export { behindRoute, withoutHooks, wrapped } from "./harness/variants.js";
export { faultyVolume, type FaultyVolume } from "./faults/faulty-volume.js";
export { RouteView } from "./harness/route-view.js";
export { probeProfile } from "./harness/probe.js";
export { allCases, findCase } from "./cases/catalogue.js";
export { type Case, groupOf, type Level, type Need, type Tier } from "./cases/case.js";
export { rules, ruleText } from "./cases/rules.js";
export { BAD_STATUSES, STATUSES } from "./report/report.js";
export type * from "./report/report.js";
export { driverHarness, type DriverOptions } from "./driver/driver-harness.js";
