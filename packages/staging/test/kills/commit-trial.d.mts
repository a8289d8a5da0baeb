import type { PlanOf, RunTrials } from "../../../changes/test/kills/trial.mjs";

export const planOf: PlanOf;
export const commitTrials: RunTrials;
