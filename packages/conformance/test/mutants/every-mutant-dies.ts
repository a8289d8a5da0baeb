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

/** A mutant, and what gives its second client, or what it is after a restart. */
interface Opened {
  readonly first: BackendProtocolV2;
  readonly further?: () => BackendProtocolV2 | Promise<BackendProtocolV2>;
}

function opened({ create, pair, restarted }: Mutant): Opened {
  if (restarted !== undefined) {
    const { first, again } = restarted();
    return { first, further: again };
  }
  if (pair === undefined) return { first: create() };
  const [first, second] = pair();
  return { first, further: () => second };
}

/** The harness of a mutant: with the second client, or the restart, where the bug needs one. */
function harnessOf(mutant: Mutant): Harness {
  const { name, pair, profile, restarted } = mutant;
  const open = new Map<string, Opened>();
  const further = ({ ns }: { ns: string }): BackendProtocolV2 | Promise<BackendProtocolV2> => {
    const make = open.get(ns)?.further;
    if (make === undefined) throw new Error(`No instance '${ns}' with a further client is open.`);
    return make();
  };
  return {
    name,
    timeoutMs: 5000,
    ...(profile && { profile }),
    create: ({ ns }) => {
      const instance = opened(mutant);
      open.set(ns, instance);
      return instance.first;
    },
    ...(pair && { peer: further }),
    ...(restarted && { reopen: further }),
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
