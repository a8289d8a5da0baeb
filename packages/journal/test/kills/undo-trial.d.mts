export interface TrialStorage {
  readonly kind: "disk" | "postgres";
  readonly url?: string;
}

export interface TrialPlan {
  /** The step at which the first process is killed; it is not, if it has fewer. */
  readonly killAt: number;
  /** The step at which the process that undoes once more is killed; `undefined`: there is none. */
  readonly again?: number | undefined;
  /** A file that another editor changes: at a step of the first process, or after it. */
  readonly foreign?: string | undefined;
  readonly foreignAt?: number | undefined;
}

export interface Trial extends TrialPlan {
  /** Of this trial alone: a folder, or a namespace. */
  readonly root: string;
  /** Of this trial alone, for what its processes note. */
  readonly folder: string;
}

export interface TrialOutcome {
  /** How often a process was killed. */
  readonly kills: number;
  /** The steps of the first process, where it lived. */
  readonly steps?: number | undefined;
  readonly wrong: readonly string[];
}

export function planOf(n: number, steps: number): TrialPlan;
export function undoTrials(
  storage: TrialStorage,
  trials: readonly Trial[],
): Promise<TrialOutcome[]>;
