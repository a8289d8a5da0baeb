import type { Tier } from "../cases/case.js";

/** Generated calls per tier. */
export const CALLS: Readonly<Record<Tier, number>> = { quick: 80, full: 1000, soak: 10_000 };
