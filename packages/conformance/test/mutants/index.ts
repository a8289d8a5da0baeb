/**
 * Backends with one realistic bug each, which the suite must find, and correct but odd ones, which it must pass: the
 * proof that the suite bites, and that it bites only what is wrong.
 *
 * @module
 */
import { RESTART_MUTANTS } from "./restart-mutants.js";
import { MIXED_ANSWER_MUTANTS } from "./mixed-answer-mutants.js";
import { LATE_MUTANTS } from "./late-mutants.js";
import { HISTORY_MUTANTS } from "./history-mutants.js";
import { RARE_WAY_MUTANTS } from "./rare-way-mutants.js";
import { NOTICE_MUTANTS } from "./notice-mutants.js";
import { SEARCH_PART_MUTANTS } from "./search-part-mutants.js";
import { BORDER_MUTANTS } from "./border-mutants.js";
import { AGAIN_MUTANTS } from "./again-mutants.js";
import { AMOUNT_MUTANTS } from "./amount-mutants.js";
import { COMMAND_MUTANTS } from "./command-mutants.js";
import { ANSWER_MUTANTS } from "./answer-mutants.js";
import { ARGUMENT_MUTANTS } from "./argument-mutants.js";
import { ASSEMBLED_MUTANTS } from "./assembled-mutants.js";
import { BLOCK_MUTANTS } from "./block-mutants.js";
import { BOUND_MUTANTS } from "./bound-mutants.js";
import { CACHE_MUTANTS } from "./cache-mutants.js";
import { LENIENT_MUTANTS } from "./lenient-mutants.js";
import { COUNTED_MUTANTS } from "./counted-mutants.js";
import { MISREAD_SEARCH_MUTANTS } from "./misread-search-mutants.js";
import { MISREADING_MUTANTS } from "./misreading-mutants.js";
import { NAME_MUTANTS } from "./name-mutants.js";
import { OPTION_MUTANTS } from "./option-mutants.js";
import { REFUSAL_MUTANTS } from "./refusal-mutants.js";
import { ABORT_MUTANTS } from "./abort-mutants.js";
import { STALE_MUTANTS } from "./stale-mutants.js";
import { VERSION_MUTANTS } from "./version-mutants.js";
import { DETACHMENT_MUTANTS } from "./detachment-mutants.js";
import { COMBINATION_MUTANTS } from "./combination-mutants.js";
import { CORNER_MUTANTS } from "./corner-mutants.js";
import { CONTENT_MUTANTS } from "./content-mutants.js";
import { SIZE_MUTANTS } from "./size-mutants.js";
import { RELOCATED_TREE_MUTANTS } from "./relocated-tree-mutants.js";
import { SEARCH_MUTANTS } from "./search-mutants.js";
import { EDGE_MUTANTS } from "./edge-mutants.js";
import { EDIT_MUTANTS } from "./edit-mutants.js";
import { EXPLICIT_MUTANTS } from "./explicit-mutants.js";
import { KEPT_MUTANTS } from "./kept-mutants.js";
import { LAYER_MUTANTS } from "./layer-mutants.js";
import { SERVICE_MUTANTS } from "./service-mutants.js";
import { FOLD_MUTANTS } from "./fold-mutants.js";
import { GHOST_MUTANTS } from "./ghost-mutants.js";
import { GREP_MUTANTS } from "./grep-mutants.js";
import { LISTING_MUTANTS } from "./listing-mutants.js";
import { AMONG_MUTANTS } from "./among-mutants.js";
import { LARGE_MUTANTS } from "./large-mutants.js";
import { BY_SIZE_MUTANTS } from "./by-size-mutants.js";
import { MEANING_MUTANTS } from "./meaning-mutants.js";
import type { Mutant } from "./mutant.js";
import { LOOKALIKE_MUTANTS } from "./lookalike-mutants.js";
import { MEETING_MUTANTS } from "./meeting-mutants.js";
import { MEETING_RELOCATION_MUTANTS } from "./meeting-relocation-mutants.js";
import { MOMENT_MUTANTS } from "./moment-mutants.js";
import { OVERLAP_MUTANTS } from "./overlap-mutants.js";
import { PAGE_MUTANTS } from "./page-mutants.js";
import { PEER_MUTANTS } from "./peer-mutants.js";
import { OVERTAKEN_MUTANTS } from "./overtaken-mutants.js";
import { PLACE_MUTANTS } from "./place-mutants.js";
import { READ_MUTANTS } from "./read-mutants.js";
import { RESULT_MUTANTS } from "./result-mutants.js";
import { SENTENCE_MUTANTS } from "./sentence-mutants.js";
import { SEQUEL_MUTANTS } from "./sequel-mutants.js";
import { SIGNAL_MUTANTS } from "./signal-mutants.js";
import { ENCODED_MUTANTS } from "./encoded-mutants.js";
import { MERGE_MUTANTS } from "./merge-mutants.js";
import { PART_MUTANTS } from "./part-mutants.js";
import { SPELLING_MUTANTS } from "./spelling-mutants.js";
import { TREE_MUTANTS } from "./tree-mutants.js";
import { WRITE_NAME_MUTANTS } from "./write-name-mutants.js";
import { SAME_MOVE_MUTANTS } from "./same-move-mutants.js";
import { TWO_FILE_MUTANTS } from "./two-file-mutants.js";
import { WRITE_MUTANTS } from "./write-mutants.js";

export type { Mutant } from "./mutant.js";
export { ODD_BACKENDS, type OddBackend } from "./odd-backends.js";

/** Every mutant. */
export const MUTANTS: readonly Mutant[] = [
  ...EXPLICIT_MUTANTS,
  ...KEPT_MUTANTS,
  ...LAYER_MUTANTS,
  ...SERVICE_MUTANTS,
  ...PAGE_MUTANTS,
  ...PEER_MUTANTS,
  ...SENTENCE_MUTANTS,
  ...SPELLING_MUTANTS,
  ...PART_MUTANTS,
  ...ENCODED_MUTANTS,
  ...MERGE_MUTANTS,
  ...READ_MUTANTS,
  ...WRITE_MUTANTS,
  ...EDIT_MUTANTS,
  ...LISTING_MUTANTS,
  ...GREP_MUTANTS,
  ...TREE_MUTANTS,
  ...RESULT_MUTANTS,
  ...SEARCH_MUTANTS,
  ...SIZE_MUTANTS,
  ...CONTENT_MUTANTS,
  ...DETACHMENT_MUTANTS,
  ...VERSION_MUTANTS,
  ...STALE_MUTANTS,
  ...ABORT_MUTANTS,
  ...ANSWER_MUTANTS,
  ...BOUND_MUTANTS,
  ...CACHE_MUTANTS,
  ...LENIENT_MUTANTS,
  ...NAME_MUTANTS,
  ...OPTION_MUTANTS,
  ...REFUSAL_MUTANTS,
  ...SAME_MOVE_MUTANTS,
  ...WRITE_NAME_MUTANTS,
  ...TWO_FILE_MUTANTS,
  ...SEQUEL_MUTANTS,
  ...PLACE_MUTANTS,
  ...EDGE_MUTANTS,
  ...COMBINATION_MUTANTS,
  ...OVERLAP_MUTANTS,
  ...GHOST_MUTANTS,
  ...FOLD_MUTANTS,
  ...SIGNAL_MUTANTS,
  ...BLOCK_MUTANTS,
  ...AGAIN_MUTANTS,
  ...RELOCATED_TREE_MUTANTS,
  ...MISREADING_MUTANTS,
  ...MISREAD_SEARCH_MUTANTS,
  ...COUNTED_MUTANTS,
  ...CORNER_MUTANTS,
  ...LOOKALIKE_MUTANTS,
  ...MOMENT_MUTANTS,
  ...MEANING_MUTANTS,
  ...LARGE_MUTANTS,
  ...BY_SIZE_MUTANTS,
  ...AMONG_MUTANTS,
  ...ASSEMBLED_MUTANTS,
  ...ARGUMENT_MUTANTS,
  ...MEETING_MUTANTS,
  ...MEETING_RELOCATION_MUTANTS,
  ...OVERTAKEN_MUTANTS,
  ...BORDER_MUTANTS,
  ...SEARCH_PART_MUTANTS,
  ...NOTICE_MUTANTS,
  ...RARE_WAY_MUTANTS,
  ...HISTORY_MUTANTS,
  ...LATE_MUTANTS,
  ...MIXED_ANSWER_MUTANTS,
  ...RESTART_MUTANTS,
  ...AMOUNT_MUTANTS,
  ...COMMAND_MUTANTS,
];
