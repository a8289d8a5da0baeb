import type { Case, Tier } from "./case.js";
import { codeCases } from "./code/index.js";
import { jsonCases } from "./json-cases.js";

const TIERS: readonly Tier[] = ["quick", "full", "soak"];

let catalogue: readonly Case[] | undefined;

/** Every case of the suite: those of `cases/*.json` first, then those that need code. */
export function allCases(): readonly Case[] {
  if (catalogue !== undefined) return catalogue;
  const cases = [...jsonCases(), ...codeCases()];
  const seen = new Set<string>();
  for (const { id } of cases) {
    if (seen.has(id)) throw new Error(`Two cases have the ID '${id}'.`);
    seen.add(id);
  }
  return (catalogue = cases);
}

/** The case of an ID. */
export function findCase(id: string): Case | undefined {
  return allCases().find((tested) => tested.id === id);
}

/**
 * The cases of a tier that pass the filters.
 *
 * @returns `partial` is true when a filter left out what the tier would have run. Throws when nothing is left.
 */
export function selectCases(
  tier: Tier,
  only?: string | readonly string[],
  skip?: string | readonly string[],
): { cases: readonly Case[]; partial: boolean } {
  const inTier = allCases().filter(
    (tested) => TIERS.indexOf(tested.tier ?? "quick") <= TIERS.indexOf(tier),
  );
  const wanted = only === undefined ? undefined : idMatcher(only);
  const unwanted = skip === undefined ? undefined : idMatcher(skip);
  const cases = inTier.filter(({ id }) => (wanted?.(id) ?? true) && !(unwanted?.(id) ?? false));
  if (cases.length === 0)
    throw new Error(`No case of tier '${tier}' is selected. IDs look like 'edit/literal-dollar'.`);
  return { cases, partial: cases.length < inTier.length };
}

/** IDs, with `*` for anything. */
function idMatcher(patterns: string | readonly string[]): (id: string) => boolean {
  const list = typeof patterns === "string" ? patterns.split(",") : patterns;
  const expressions = list.map((pattern) => {
    const parts = pattern
      .trim()
      .split("*")
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`);
  });
  return (id) => expressions.some((expression) => expression.test(id));
}
