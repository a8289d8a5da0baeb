export interface TrialStorage {
  readonly kind: "disk" | "postgres";
  readonly url?: string;
}

/** What happens in a trial: of a commit, or of a turn and its undo. */
export interface TrialPlan {
  /** The step at which the first process is killed; it is not, if it has fewer. */
  readonly killAt?: number | undefined;
  /** The step at which the process that does it once more is killed; `undefined`: there is none. */
  readonly again?: number | undefined;
  /** Files that another editor changes: at a step of the first process, or after it. */
  readonly foreign: readonly string[];
  readonly foreignAt?: number | undefined;
  /** True: the process ignores the conditions of its changes, which the trial must find. */
  readonly blind?: boolean | undefined;
}

export interface Trial extends TrialPlan {
  /** Of this trial alone: a folder, or a namespace. */
  readonly root: string;
  /** Of this trial alone, for what its processes note. */
  readonly folder?: string;
}

export interface TrialOutcome {
  /** How often a process was killed. */
  readonly kills: number;
  /** The steps of the first process, where it lived. */
  readonly steps?: number | undefined;
  /** Nothing, if all is well. */
  readonly wrong: readonly string[];
}

/** What the n-th trial of so many steps does. */
export type PlanOf = (n: number, steps: number) => TrialPlan;

/** Tries; each outcome is that of the trial at its place. */
export type RunTrials = (
  storage: TrialStorage,
  trials: readonly Trial[],
) => Promise<TrialOutcome[]>;
