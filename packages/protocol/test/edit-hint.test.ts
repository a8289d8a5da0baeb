import fc from "fast-check";
import { expect, test } from "vitest";
import { editFailure } from "../src/text/edit-refusal.js";

/** The pairs of neighbouring characters of a line, and how much two lines share of them: as the hint is defined. */
function pairsOf(line: string): Set<string> {
  const folded = line.trim().replace(/\s+/g, " ");
  if (folded.length === 1) return new Set([folded]);
  return new Set(
    Array.from({ length: Math.max(0, folded.length - 1) }, (_, i) => folded.slice(i, i + 2)),
  );
}

function closeness(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  if (a.size === 0 || b.size === 0) return 0;
  return (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size);
}

test("a refused edit names the closest lines, whatever was left out early", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "  ", "é"), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), line, (lines, wanted) => {
      const text = `${lines.join("\n")}\nlast`;
      fc.pre(wanted.trim() !== "" && !text.includes(wanted.trim()));
      const edits = [{ old: wanted, new: "", replaceAll: false }];
      const { error } = editFailure("/f", { code: "no_match", index: 0 }, edits, text);
      const closest = text
        .split("\n")
        .map((shown, index) => ({ shown, number: index + 1, score: closeness(wanted, shown) }))
        .filter(({ score }) => score >= 0.5)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, 3)
        .map(({ shown, number }) => `${number}: ${shown}`);
      expect(error).toContain(
        closest.length === 0
          ? "No line resembles it"
          : `The closest lines are:\n${closest.join("\n")}`,
      );
    }),
    { numRuns: 500 },
  );
});
