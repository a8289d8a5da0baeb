import type { RunOptions } from "./session.js";

const VARIABLE = "FS_CONFORMANCE_SEED";

/**
 * The seed of a run that test runners start, whose options are in files: the build of one commit repeats itself, and what
 * failed elsewhere is repeated without an edit.
 *
 * @returns What FS_CONFORMANCE_SEED says, a whole number below 2³¹; `undefined` where it is not set or empty.
 * @throws TypeError for anything else.
 */
export function seedOfEnvironment(): number | undefined {
  const text = process.env[VARIABLE] ?? "";
  if (text === "") return undefined;
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed >= 2 ** 31)
    throw new TypeError(`${VARIABLE} must be a whole number from 0 to ${2 ** 31 - 1}.`);
  return seed;
}

/** The options of a run, with the seed of the environment where they have none. */
export function seeded(options: RunOptions): RunOptions {
  const seed = options.seed ?? seedOfEnvironment();
  return seed === undefined ? options : { ...options, seed };
}
