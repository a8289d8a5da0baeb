import type { RunOptions } from "../engine/session.js";
import type { CaseOutcome, Report } from "../report/report.js";

/** What the command tells the process that runs the backend, once. */
export interface RunnerTask {
  /** The absolute path of the file of the harness. */
  readonly harness: string;
  readonly options: RunOptions;
  /** Begins no further case once one has failed. */
  readonly bail: boolean;
  /** Whether to see first that the harness works at all. */
  readonly preflight: boolean;
  /** Outcomes that are known already: these cases do not run again. */
  readonly known: readonly CaseOutcome[];
  /** Cases to run first, one at a time, because an earlier process ended while they were under way. */
  readonly alone: readonly string[];
  /** Runs nothing more; only sums up what is known. */
  readonly onlySumUp: boolean;
}

/** What that process tells the command. */
export type RunnerMessage =
  /** It is alive. */
  | { readonly type: "beat" }
  /** The harness is loaded. */
  | { readonly type: "loaded"; readonly name: string; readonly cases: number }
  /** `setup` is done and a first backend has been created. */
  | { readonly type: "created" }
  /** A case begins; it may take that long. */
  | { readonly type: "begin"; readonly id: string; readonly limitMs: number }
  | { readonly type: "outcome"; readonly outcome: CaseOutcome }
  /** All has been run and torn down. */
  | { readonly type: "report"; readonly report: Report }
  /** The harness does not work. */
  | { readonly type: "refused"; readonly reason: string };
