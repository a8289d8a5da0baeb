import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import type { Case, Need } from "../case.js";

/** A call that meets another one, of the same client or of a second one. */
export interface Race {
  readonly name: string;
  readonly rules: Case["rules"];
  readonly needs: readonly Need[];
  readonly why: string;
  readonly hint: string;
  readonly run: (context: CaseContext, other: GuardedBackend) => Promise<void>;
}

/** Each of them with one client and with two. */
export function overlapCases(races: readonly Race[]): Case[] {
  return races.flatMap(({ name, needs, run, ...told }): Case[] => [
    {
      id: `conc/${name}`,
      ...told,
      level: "safe",
      needs: ["consistency=strong", ...needs],
      patience: 2,
      run: (context) => run(context, context.backend),
    },
    {
      id: `peer/${name}`,
      ...told,
      level: "safe",
      needs: ["consistency=strong", "peer", "atomicity=clients", ...needs],
      patience: 2,
      run: async (context) => run(context, await context.peer()),
    },
  ]);
}
