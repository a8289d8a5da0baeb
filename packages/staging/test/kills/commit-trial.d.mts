/** Where a trial keeps its layers. */
export type TrialPlace =
  | { readonly kind: "disk"; readonly root: string }
  | { readonly kind: "postgres"; readonly url: string; readonly root: string };

export interface TrialPlan {
  readonly killAt: number;
  readonly again: number | undefined;
  readonly foreign: readonly string[];
}

export function planOf(n: number): TrialPlan;
export function commitTrial(
  where: TrialPlace,
  plan: TrialPlan,
): Promise<{ killed: boolean; wrong: string[] }>;
