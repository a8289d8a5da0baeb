import fc from "fast-check";

/** A text whose lines are all different, so that every tool compares it in the same way. */
export const distinctLines = fc
  .integer({ min: 0, max: 12 })
  .map((count) => Array.from({ length: count }, (_, index) => `line ${index}\n`));

interface Replacement {
  readonly at: number;
  readonly removed: number;
  readonly added: number;
}

const replacement: fc.Arbitrary<Replacement> = fc.record({
  at: fc.nat(12),
  removed: fc.nat(3),
  added: fc.nat(3),
});

/** Edits of a text by one side: lines removed, and new ones put in that no other text has. */
export const edits = fc.array(replacement, { maxLength: 3 });

/** The text after the edits, made from its end to its start so that places stay those of the base. */
export function edited(
  lines: readonly string[],
  side: string,
  list: readonly Replacement[],
): string {
  const result = [...lines];
  for (const [index, { at, removed, added }] of list.toSorted((a, b) => b.at - a.at).entries()) {
    const fresh = Array.from({ length: added }, (_, n) => `${side} ${index}.${n}\n`);
    result.splice(Math.min(at, result.length), removed, ...fresh);
  }
  return result.join("");
}
