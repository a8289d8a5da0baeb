import { failure, quote } from "../errors/messages.js";
import type { Failure } from "../types/outcome.js";
import type { EditRefusal, Replacement } from "./edit.js";

/** Characters of a line that a hint repeats. */
const MAX_LINE_SHOWN = 160;
/** Lines that a hint shows. */
const MAX_LINES_SHOWN = 3;
/** Lines of a file that are compared in search of a hint. */
const MAX_LINES_COMPARED = 20_000;
/** How much a line must resemble the wanted one, 0 to 1. */
const CLOSE = 0.5;

/**
 * The failed result of an edit that does not apply, with what helps to write the next one: the lines that come
 * closest, or the count and the line numbers of the occurrences.
 *
 * @param text The text to which the refused replacement was applied.
 */
export function editFailure(
  path: string,
  refusal: EditRefusal,
  edits: readonly Replacement[],
  text: string,
): Failure {
  const which = edits.length > 1 ? `Edit ${refusal.index + 1} of ${edits.length}: ` : "";
  const old = edits[refusal.index]?.old ?? "";
  switch (refusal.code) {
    case "invalid_argument":
      return failure(
        "invalid_argument",
        path,
        `${which}The text to replace is empty, but ${quote(path)} is not. Give the text to replace.`,
      );
    case "not_unique": {
      const shown = refusal.lines.join(", ");
      const more = refusal.lines.length < refusal.occurrences ? ", …" : "";
      return failure(
        "not_unique",
        path,
        `${which}The text to replace occurs ${refusal.occurrences} times in ${quote(path)} (lines ${shown}${more}). ` +
          `Give more of the surrounding text to make it unique, or replace all occurrences.`,
      );
    }
    case "no_match":
      return failure(
        "no_match",
        path,
        `${which}The text to replace was not found in ${quote(path)}. ${hint(text, old)}`,
      );
  }
}

function hint(text: string, old: string): string {
  if (text === "") return "The file is empty.";
  const trimmed = old.trim();
  if (trimmed !== "" && trimmed !== old && text.includes(trimmed)) {
    return "It is there with other white space at its start or end; copy it exactly.";
  }
  const wanted = old.split(/\r?\n/).find((line) => line.trim() !== "");
  if (wanted === undefined) return "Read the file again and copy the text exactly.";
  const closest = closestLines(text, wanted);
  if (closest.length === 0) return "No line resembles it; read the file again.";
  return `The closest lines are:\n${closest.join("\n")}`;
}

function closestLines(text: string, wanted: string): string[] {
  const target = bigrams(fold(wanted));
  const scored: Array<{ line: number; text: string; score: number }> = [];
  for (const [index, line] of text.split("\n", MAX_LINES_COMPARED).entries()) {
    const folded = fold(line.slice(0, 4 * MAX_LINE_SHOWN));
    if (!mayBeClose(target, folded)) continue;
    const score = similarity(target, folded);
    if (score >= CLOSE) scored.push({ line: index + 1, text: line, score });
  }
  return (
    scored
      // Of lines that are as close the first one comes first: sorting keeps their order.
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MAX_LINES_SHOWN)
      .map(({ line, text: shown }) => `${line}: ${clip(shown.replace(/\r$/, ""))}`)
  );
}

function clip(line: string): string {
  return line.length > MAX_LINE_SHOWN ? `${line.slice(0, MAX_LINE_SHOWN).toWellFormed()}…` : line;
}

/** Without white space around it, and with each other stretch of it as one blank. */
function fold(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

/** Pairs of neighbouring characters of a folded line: cheap, and blind to indentation. */
function bigrams(folded: string): Set<string> {
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < folded.length; i++) pairs.add(folded.slice(i, i + 2));
  if (folded.length === 1) pairs.add(folded);
  return pairs;
}

/**
 * Whether a line shares enough pairs to be close, were they all that it has. Most lines share too few, which is seen without taking
 * them apart.
 */
function mayBeClose(target: ReadonlySet<string>, folded: string): boolean {
  // 2s / (t + s) reaches the bound no sooner than this.
  const least = (CLOSE * target.size) / (2 - CLOSE);
  let spare = target.size - least;
  for (const pair of target) if (!folded.includes(pair) && --spare < 0) return false;
  return true;
}

/** The Sørensen–Dice coefficient of two lines, 0 to 1. */
function similarity(target: ReadonlySet<string>, folded: string): number {
  const other = bigrams(folded);
  if (target.size === 0 || other.size === 0) return 0;
  let shared = 0;
  for (const pair of other) if (target.has(pair)) shared++;
  return (2 * shared) / (target.size + other.size);
}
