/**
 * Backends with one realistic bug each, which the suite must find, and correct but odd ones, which it must pass: the
 * proof that the suite bites, and that it bites only what is wrong.
 *
 * @module
 */
import { EDIT_MUTANTS } from "./mutants/edit-mutants.js";
import { GREP_MUTANTS } from "./mutants/grep-mutants.js";
import { LISTING_MUTANTS } from "./mutants/listing-mutants.js";
import type { Mutant } from "./mutants/mutant.js";
import { READ_MUTANTS } from "./mutants/read-mutants.js";
import { RESULT_MUTANTS } from "./mutants/result-mutants.js";
import { TREE_MUTANTS } from "./mutants/tree-mutants.js";
import { WRITE_MUTANTS } from "./mutants/write-mutants.js";

export type { Mutant } from "./mutants/mutant.js";
export { ODD_BACKENDS, type OddBackend } from "./mutants/odd-backends.js";

/** Every mutant. */
export const MUTANTS: readonly Mutant[] = [
  ...READ_MUTANTS,
  ...WRITE_MUTANTS,
  ...EDIT_MUTANTS,
  ...LISTING_MUTANTS,
  ...GREP_MUTANTS,
  ...TREE_MUTANTS,
  ...RESULT_MUTANTS,
];
