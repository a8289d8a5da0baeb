import { expect, test } from "vitest";
import type { BackendProtocolV2 } from "@fs/protocol";
import { allCases, runConformance, type Harness } from "@fs/conformance";
import { MUTANTS, type Mutant } from "./index.js";

const OPTIONS = { tier: "quick", seed: 1 } as const;
const LARGE = /^(?:scale|growth|twin|conc|peer)\/|^encoding\/every-/;

/** The cases that cite a rule: a mutant must die of one of these, so that its author is told of the right rule. */
function citing(rule: string): string[] {
  return allCases()
    .filter(({ id, rules }) => rules.includes(rule) && !id.startsWith("model/"))
    .map(({ id }) => id);
}

/** What else a mutant needs of the harness: a second client, or a restart. */
interface Parts {
  readonly first: BackendProtocolV2;
  readonly peer?: () => BackendProtocolV2;
  readonly reopen?: () => Promise<BackendProtocolV2>;
}

function partsOf({ create, pair, restarted }: Mutant): Parts {
  if (restarted !== undefined) {
    const { first, again } = restarted();
    return { first, reopen: again };
  }
  if (pair === undefined) return { first: create() };
  const [first, second] = pair();
  return { first, peer: () => second };
}

/** The harness of a mutant: with the second client, or the restart, where the bug needs one. */
function harnessOf(mutant: Mutant): Harness {
  const { name, pair, restarted } = mutant;
  const open = new Map<string, Parts>();
  const partsIn = (ns: string): Parts => {
    const parts = open.get(ns);
    if (parts === undefined) throw new Error(`No instance '${ns}' is open.`);
    return parts;
  };
  return {
    name,
    timeoutMs: 5000,
    create: ({ ns }) => {
      const parts = partsOf(mutant);
      open.set(ns, parts);
      return parts.first;
    },
    ...(pair && { peer: ({ ns }) => partsIn(ns).peer?.() ?? partsIn(ns).first }),
    ...(restarted && { reopen: ({ ns }) => partsIn(ns).reopen?.() ?? partsIn(ns).first }),
  };
}

/** A test for each mutant whose rule is asked for: that it dies of a case that cites this rule. */
export function everyMutantDies(isAsked: (rule: string) => boolean): void {
  const named = MUTANTS.filter(({ rule }) => isAsked(rule)).map(
    (mutant) => [mutant.name, mutant] as const,
  );
  test.each(named)("%s dies", async (_, mutant) => {
    const all = mutant.by === undefined ? citing(mutant.rule) : [mutant.by];
    const dies = async (only: readonly string[]): Promise<boolean> => {
      if (only.length === 0) return false;
      const options = { ...OPTIONS, only, skip: "hooks/*", bail: true };
      return !(await runConformance(harnessOf(mutant), options)).ok;
    };
    // Most die of a small case, so that the large ones are only asked about the others.
    const dead = (await dies(all.filter((id) => !LARGE.test(id)))) || (await dies(all));
    expect(dead, `survived: ${mutant.bug}`).toBe(true);
  });
}
