import type { Effects } from "./definition.js";

/** Changes nothing. */
export const READS: Effects = {
  readOnly: true,
  destructive: false,
  idempotent: true,
  openWorld: false,
};

/** Adds, and replaces nothing. */
const ADDS: Effects = {
  readOnly: false,
  destructive: false,
  idempotent: false,
  openWorld: false,
};

/** Replaces or removes what was there. */
export const REPLACES: Effects = { ...ADDS, destructive: true };

/** Removes; a second call finds nothing to remove. */
export const REMOVES: Effects = { ...REPLACES, idempotent: true };

/** Runs a program, which can do anything that its machine allows. */
export const EXECUTES: Effects = { ...REPLACES, openWorld: true };
