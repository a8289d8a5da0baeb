import type { MatchCondition } from "@langchain/langgraph-checkpoint";

/** Returns whether a namespace meets every condition: begins or ends with a path in which `*` stands for any label. */
export function matchesConditions(
  labels: readonly string[],
  conditions: readonly MatchCondition[],
): boolean {
  return conditions.every(({ matchType, path }) => {
    const from = matchType === "prefix" ? 0 : labels.length - path.length;
    return (
      path.length <= labels.length &&
      path.every((wanted, i) => wanted === "*" || labels[from + i] === wanted)
    );
  });
}
