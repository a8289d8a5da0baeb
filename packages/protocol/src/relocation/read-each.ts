import type { Copy, Leg, RelocationEnd } from "./ends.js";
import { legBatches } from "./leg-batches.js";

/** Reads the file at one side of each leg, in batches: of their contents no more are held than of a copy. */
export async function readEach<T>(
  end: RelocationEnd,
  side: "from" | "to",
  legs: readonly Leg[],
  look: (read: PromiseSettledResult<Copy> | undefined, index: number) => T,
): Promise<T[]> {
  const seen: T[] = [];
  for (const batch of legBatches(legs)) {
    const read = await end.get(batch.map((leg) => leg[side]));
    for (const index of batch.keys()) seen.push(look(read[index], seen.length));
  }
  return seen;
}
