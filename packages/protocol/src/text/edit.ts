import { findAcrossLineEnds, withLineEndsOf } from "./line-ends.js";
import type { EditOperation } from "../types/options.js";

/** A replacement with nothing left to default. */
export interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly replaceAll: boolean;
}

/** Why a replacement does not apply to a text. */
export type EditRefusal =
  | { code: "no_match"; index: number }
  | { code: "not_unique"; index: number; occurrences: number; lines: number[] }
  | { code: "invalid_argument"; index: number };

/** The text after all replacements, or why one of them does not apply. */
export type EditOutcome =
  | { text: string; occurrences: number; refusal?: undefined }
  | { refusal: EditRefusal; text: string };

/** The line numbers that a `not_unique` refusal names at most. */
const MAX_LINES_NAMED = 10;

/** Fills in the default of {@link EditOperation.replaceAll}. */
export function replacementOf(edit: EditOperation): Replacement {
  return { old: edit.old, new: edit.new, replaceAll: edit.replaceAll ?? false };
}

/**
 * Applies replacements in order, each to the result of the one before; all or none.
 *
 * Literal, never rescanned, counted left to right without overlap. An empty `old` fills an empty text and is refused on
 * any other. Where `old` does not occur but does with its line ends written as CRLF, the file's line ends are kept.
 */
export function applyEdits(text: string, edits: readonly Replacement[]): EditOutcome {
  let current = text;
  let occurrences = 0;
  for (const [index, edit] of edits.entries()) {
    const step = applyOne(current, edit, index);
    if (step.refusal !== undefined) return step;
    current = step.text;
    occurrences += step.occurrences;
  }
  return { text: current, occurrences };
}

function applyOne(text: string, edit: Replacement, index: number): EditOutcome {
  if (edit.old === "") {
    if (text !== "") return { refusal: { code: "invalid_argument", index }, text };
    return { text: edit.new, occurrences: 1 };
  }
  return replaceLiteral(text, edit, index) ?? replaceAcrossLineEnds(text, edit, index);
}

function replaceLiteral(text: string, edit: Replacement, index: number): EditOutcome | undefined {
  const first = text.indexOf(edit.old);
  if (first === -1) return undefined;
  const second = text.indexOf(edit.old, first + edit.old.length);
  if (second === -1) {
    const tail = text.slice(first + edit.old.length);
    return { text: text.slice(0, first) + edit.new + tail, occurrences: 1 };
  }
  if (!edit.replaceAll) return notUnique(text, occurrencesOf(text, edit.old), index);
  // split and join: the replacement stays literal, which `String.prototype.replaceAll` does not promise for `$`.
  const parts = text.split(edit.old);
  return { text: parts.join(edit.new), occurrences: parts.length - 1 };
}

function replaceAcrossLineEnds(text: string, edit: Replacement, index: number): EditOutcome {
  const found = findAcrossLineEnds(text, edit.old);
  if (found.length === 0) return { refusal: { code: "no_match", index }, text };
  if (found.length > 1 && !edit.replaceAll)
    return notUnique(text, { count: found.length, first: found.map(({ start }) => start) }, index);
  let result = "";
  let from = 0;
  for (const { start, end } of found) {
    result += text.slice(from, start) + withLineEndsOf(text.slice(start, end), edit.new);
    from = end;
  }
  return { text: result + text.slice(from), occurrences: found.length };
}

interface Occurrences {
  readonly count: number;
  /** Where the first of them begin: at least those that are named. */
  readonly first: readonly number[];
}

/** There may be a million: only those that are named are kept. */
function occurrencesOf(text: string, old: string): Occurrences {
  const first: number[] = [];
  let count = 0;
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) {
    if (count++ < MAX_LINES_NAMED) first.push(at);
  }
  return { count, first };
}

function notUnique(text: string, { count, first }: Occurrences, index: number): EditOutcome {
  const lines: number[] = [];
  let line = 1;
  let counted = 0;
  for (const start of first.slice(0, MAX_LINES_NAMED)) {
    for (
      let nl = text.indexOf("\n", counted);
      nl !== -1 && nl < start;
      nl = text.indexOf("\n", counted)
    ) {
      line++;
      counted = nl + 1;
    }
    lines.push(line);
  }
  return { refusal: { code: "not_unique", index, occurrences: count, lines }, text };
}
