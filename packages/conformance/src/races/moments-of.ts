import type { CaseContext } from "../engine/case-context.js";
import { MOMENTS } from "./moments.js";
import { lastingOf, momentsUnderWay } from "./under-way.js";

/** Shares of a change at which another one begins, where it takes milliseconds. */
const SHARES = 3;

/**
 * Moments at which a change of a file is under way here: {@link MOMENTS} in memory and where a change takes a few turns, else as
 * many, half of them at shares of the time that it takes. Measured once per run.
 */
export function momentsOf(context: CaseContext): Promise<readonly string[]> {
  return context.once("moments", async () => {
    const path = "/moments/a.txt";
    await context.given({ [path]: "one\n" });
    const lasting = await lastingOf(context.backend.edit(path, "one", "two"));
    const shares = momentsUnderWay(lasting, SHARES + 1).filter((moment) => moment.endsWith(" ms"));
    return shares.length < SHARES
      ? MOMENTS
      : ["0 microtasks", "1 turns", "4 turns", ...shares.slice(-SHARES)];
  });
}
