/** `FS_TEST_ALL=1` and `npm run conformance` leave nothing out. */
export const full = process.env["FS_TEST_ALL"] === "1";
/** What `.ci/run` sets. */
export const checks = process.env["FS_TEST_CHECKS"] === "1";

/** The seed of `.ci/run` follows from what is checked, so that every change has its own; without one nothing takes turns. */
const seed = Number.parseInt(process.env["FS_CONFORMANCE_SEED"] ?? "", 10);
const takesTurns = checks && !full && !Number.isNaN(seed);

/** Which of two halves waits for the next change in `.ci/run`. */
export function notThisTime(
  halves: readonly [readonly string[], readonly string[]],
): readonly string[] {
  return takesTurns ? (halves[seed % 2] ?? []) : [];
}

/** What waits for another change where a quarter is asked in `.ci/run`; by another digit of the seed than the halves. */
export function threeQuarters(all: readonly string[]): readonly string[] {
  return takesTurns ? all.filter((_, n) => n % 4 !== Math.floor(seed / 2) % 4) : [];
}
