import type { Checker } from "../engine/checker.js";
import type { ExpectedAnswer, Prediction, Row } from "./row.js";

/** Asserts that a call answered as the rules say. Gives whether it should have succeeded. */
export function checkAnswer(
  check: Checker,
  row: Row,
  answer: unknown,
  prediction: Prediction,
  what: string,
  rule: string,
): boolean {
  const result = resultOf(row, answer);
  if (prediction.codes !== undefined) {
    if (row.batch) checkBatchRefusal(check, result, prediction.codes, what, rule);
    else check.failed(result, prediction.codes, what, rule);
    return false;
  }
  check.succeeded(result, what, rule);
  checkFields(check, result, prediction.answer, what, rule);
  return true;
}

/** The one result of a call: the item of a batch, or the answer itself. */
export function resultOf(row: Row, answer: unknown): Record<string, unknown> {
  const item: unknown = row.batch && Array.isArray(answer) ? answer[0] : answer;
  return typeof item === "object" && item !== null ? (item as Record<string, unknown>) : {};
}

/** T2: `error` is one of four words, `code` the exact one. */
const FOUR: Readonly<Record<string, string>> = {
  not_found: "file_not_found",
  is_directory: "is_directory",
  invalid_path: "invalid_path",
};

function checkBatchRefusal(
  check: Checker,
  result: Record<string, unknown>,
  codes: readonly string[],
  what: string,
  rule: string,
): void {
  check.that(
    typeof result["error"] === "string",
    `${what} should have failed with ${codes.join(" or ")}, but it succeeded.`,
    rule,
  );
  if (typeof result["code"] === "string") check.failed(result, codes, what, rule);
  const [code = ""] = codes;
  const word = FOUR[code];
  if (codes.length === 1 && word !== undefined)
    check.equal(result["error"], word, `'error' of ${what}`, "T2");
}

function checkFields(
  check: Checker,
  result: Record<string, unknown>,
  { fields = {}, ifGiven = {}, paths, lines }: ExpectedAnswer,
  what: string,
  rule: string,
): void {
  for (const [field, value] of Object.entries(fields))
    check.equal(fieldOf(result, field), value, `'${field}' of ${what}`, rule);
  for (const [field, value] of Object.entries(ifGiven)) {
    const given = fieldOf(result, field);
    if (given !== undefined) check.equal(given, value, `'${field}' of ${what}`, rule);
  }
  if (paths !== undefined) check.equal(pathsOf(result), paths, `The paths of ${what}`, rule);
  if (lines !== undefined) check.equal(linesOf(result), lines, `The matches of ${what}`, rule);
}

function fieldOf(result: Record<string, unknown>, field: string): unknown {
  const [name = "", inner] = field.split(".");
  const value = result[name];
  if (inner === undefined) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const content = (value as Record<string, unknown>)[inner];
  return Array.isArray(content) ? content.join("\n") : content;
}

function pathsOf({ files }: Record<string, unknown>): unknown {
  return Array.isArray(files) ? files.map(({ path }: { path: unknown }) => path) : files;
}

function linesOf({ matches }: Record<string, unknown>): unknown {
  if (!Array.isArray(matches)) return matches;
  return matches.map((match: Record<string, unknown>) => [
    match["path"],
    match["line"],
    match["text"],
  ]);
}
