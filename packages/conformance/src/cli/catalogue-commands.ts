import { allCases, findCase, selectCases } from "../cases/catalogue.js";
import type { Case, Tier } from "../cases/case.js";
import { jsonCaseSource } from "../cases/json-cases.js";
import { ruleText } from "../cases/rules.js";
import { UsageError } from "./usage-error.js";

/** The cases of a tier, one line each. */
export function listText(
  tier: Tier,
  only: readonly string[] | undefined,
  skip: readonly string[] | undefined,
): string {
  const cases = selectedCases(tier, only, skip);
  const width = Math.max(...cases.map(({ id }) => id.length));
  const lines = cases.map(
    ({ id, rules, level, why }) =>
      `${id.padEnd(width)}  ${rules.join(",").padEnd(7)} ${level.padEnd(7)} ${why}`,
  );
  return [...lines, `${cases.length} cases`].join("\n");
}

/** The cases that a command line selects. Throws a {@link UsageError} when there are none. */
export function selectedCases(
  tier: Tier,
  only: readonly string[] | undefined,
  skip: readonly string[] | undefined,
): readonly Case[] {
  try {
    return selectCases(tier, only, skip).cases;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Everything about a case, by its ID, or about a rule, by its number. */
export function explainText(subject: string): string {
  const tested = findCase(subject);
  if (tested !== undefined) return caseText(tested);
  const rule = ruleText(subject);
  if (rule !== undefined) {
    const checking = allCases().filter(({ rules }) => rules.includes(subject));
    return [
      `${subject}  ${rule}`,
      "",
      "Checked by",
      ...checking.map(({ id, why }) => `  ${id}: ${why}`),
    ].join("\n");
  }
  const near = allCases().filter(({ id }) => id.includes(subject.split("/").at(-1) ?? subject));
  const hint =
    near.length === 0
      ? "See --list."
      : `Did you mean ${near
          .map(({ id }) => id)
          .slice(0, 5)
          .join(", ")}?`;
  throw new UsageError(`There is no case or rule '${subject}'. ${hint}`);
}

function caseText(tested: Case): string {
  const source = jsonCaseSource(tested.id);
  return [
    `${tested.id} (level ${tested.level}, tier ${tested.tier ?? "quick"})`,
    "",
    tested.why,
    "",
    ...tested.rules.map((rule) => `${rule}  ${ruleText(rule) ?? ""}`),
    ...(tested.needs.length === 0 ? [] : ["", `Needs: ${tested.needs.join(", ")}`]),
    ...(tested.hint === undefined ? [] : ["", `Who fails it probably did this: ${tested.hint}`]),
    "",
    ...(source === undefined
      ? ["It is written in code: src/cases/code, src/races or src/model of the package."]
      : [JSON.stringify(source, null, 2)]),
    "",
    `Run it alone: fs-conformance ./my-backend.js --only ${tested.id}`,
  ].join("\n");
}
