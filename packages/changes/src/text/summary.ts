import { type Change, kindOf } from "../change.js";

const LETTER = { create: "A", modify: "M", delete: "D", none: " " } as const;

/** One line per change, as git's short status: `A /new`, `M /changed`, `D /gone`, `R /from -> /to`. The removed end of a move has none. */
export function summaryOf({ changes }: { readonly changes: readonly Change[] }): string[] {
  const moved = new Set(changes.map(({ from }) => from));
  return changes
    .filter((change) => kindOf(change) !== "delete" || !moved.has(change.path))
    .map((change) =>
      change.from === undefined
        ? `${LETTER[kindOf(change)]} ${change.path}`
        : `R ${change.from} -> ${change.path}`,
    );
}
