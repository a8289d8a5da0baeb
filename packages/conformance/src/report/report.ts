import type { Level, Tier } from "../cases/case.js";
import type { Profile } from "../harness/profile.js";

/**
 * What became of a case. `xfail` failed as expected, `xpass` passed though listed in `expectedFailures` (a failure too),
 * `error` is a defect of the suite or the harness, `inconclusive` could not tell right from wrong here. `not-applicable` is ruled out
 * by the profile, `untested` needs a part that the harness does not offer.
 */
export type Status =
  | "pass"
  | "fail"
  | "error"
  | "timeout"
  | "not-applicable"
  | "untested"
  | "xfail"
  | "xpass"
  | "inconclusive"
  | "not-run";

/** All statuses, the good ones first. */
export const STATUSES = [
  "pass",
  "not-applicable",
  "untested",
  "xfail",
  "inconclusive",
  "not-run",
  "xpass",
  "fail",
  "timeout",
  "error",
] as const satisfies readonly Status[];

/** Statuses that make a run fail. */
export const BAD_STATUSES: ReadonlySet<Status> = new Set(["fail", "error", "timeout", "xpass"]);

/** What a failure says, for programs. {@link CaseOutcome.text} is the same for people. */
export interface FailureDetail {
  readonly message: string;
  /** The broken rule, such as `"E2"`. */
  readonly rule: string;
  readonly difference?: string | undefined;
  readonly transcript: readonly string[];
  /** A program that shows the failure without the suite. */
  readonly snippet: readonly string[];
}

export interface CaseOutcome {
  readonly id: string;
  readonly rules: readonly string[];
  readonly level: Level;
  readonly status: Status;
  /** Why it does not apply, was expected to fail, or is inconclusive. */
  readonly reason?: string;
  readonly assertions: number;
  readonly ms: number;
  readonly warnings: readonly string[];
  readonly failure?: FailureDetail;
  /** The failure for people: rule, difference, calls, hint, snippet, seed. */
  readonly text?: string;
}

/**
 * `earned`, `withheld` by a case that did not pass, `partial` because not everything was run, or `not-claimed`.
 * `one-client`: every race within one client passed, and none across two was run, because the harness has no `peer` or
 * the profile claims no more.
 */
export type LevelState = "earned" | "one-client" | "withheld" | "partial" | "not-claimed";

/** The outcome of a run. Plain data: `JSON.stringify` gives what `--json` writes. */
export interface Report {
  readonly schema: 1;
  readonly suite: { readonly version: string; readonly cases: number; readonly digest: string };
  readonly backend: { readonly name: string; readonly version?: string };
  readonly environment: { readonly node: string; readonly platform: string };
  readonly date: string;
  readonly tier: Tier;
  readonly seed: number;
  /** True when a filter left cases out: such a run earns no level. */
  readonly partial: boolean;
  readonly profile: Profile;
  /** True when the profile was found out by trying, not declared. Such a run earns no level. */
  readonly probed: boolean;
  readonly levels: Readonly<Record<Level, LevelState>>;
  /** Where the profile differs from the whole contract, as `"delete: false"`: what the levels were earned without. */
  readonly deviations: readonly string[];
  readonly totals: Readonly<Record<Status, number>>;
  /** Per group: how many passed, of how many that apply, and how many do not. */
  readonly groups: Readonly<Record<string, GroupTotal>>;
  readonly warnings: readonly string[];
  readonly cases: readonly CaseOutcome[];
  readonly ms: number;
  /** True when no case failed, erred, timed out or passed unexpectedly. */
  readonly ok: boolean;
}

export interface GroupTotal {
  readonly passed: number;
  readonly applicable: number;
  readonly notApplicable: number;
  /** Of cases for which the harness lacks a part. */
  readonly untested: number;
}
