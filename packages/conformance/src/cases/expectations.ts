import { isDeepStrictEqual } from "node:util";
import type { ResultBase } from "@fs/protocol";
import type { Checker } from "../engine/checker.js";
import { show } from "../report/render.js";
import { decodeValue, taggedValue } from "./json-values.js";
import { namesPath } from "./names-path.js";
import type { JsonExpectation, JsonValue } from "./json-case.js";

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Asserts that a call answered what a case file expects. */
export function checkExpectation(
  check: Checker,
  result: unknown,
  expected: JsonExpectation,
  what: string,
  captured: Map<string, unknown> = new Map(),
): void {
  const { error, mentions, paths, lines, each, ...fields } = expected;
  if (each !== undefined) {
    checkBatch(check, result, each, what);
    return;
  }
  const answer = (typeof result === "object" && result !== null ? result : {}) as ResultBase &
    Record<string, unknown>;
  if (error === undefined) check.succeeded(withoutNullError(answer), what);
  else check.failed(answer, error === true ? undefined : error, what);
  for (const text of mentions ?? []) {
    const sentence = String(answer.error);
    check.that(
      text.startsWith("/") ? namesPath(sentence, text) : sentence.includes(text),
      `The error of ${what} should mention ${show(text)}, but it says ${show(answer.error)}.`,
    );
  }
  if (paths !== undefined)
    check.equal(pathsOf(answer["files"]), paths, `The paths that ${what} lists`);
  if (lines !== undefined) check.equal(linesOf(answer["matches"]), lines, `The matches of ${what}`);
  for (const [field, value] of Object.entries(fields)) {
    const capture = taggedValue(value);
    if (capture?.[0] === "$capture" && typeof capture[1] === "string") {
      check.that(answer[field] !== undefined, `'${field}' of ${what} should be there.`);
      captured.set(capture[1], answer[field]);
    } else checkField(check, answer[field], value as JsonValue, `'${field}' of ${what}`, captured);
  }
}

// Batch items say `error: null` where other results leave it out.
function withoutNullError(answer: ResultBase): ResultBase {
  const { error } = answer as { error?: string | null };
  return typeof error === "string" ? { error } : {};
}

function checkBatch(
  check: Checker,
  result: unknown,
  each: readonly JsonExpectation[],
  what: string,
): void {
  const items: unknown[] = Array.isArray(result) ? result : [];
  check.equal(items.length, each.length, `The number of answers of ${what}`);
  for (const [index, expectation] of each.entries()) {
    const { error, ...fields } = expectation;
    const item = items[index];
    // In a batch, `error` is one of V2's four codes; `code` is the exact one and stays optional.
    const four = error === undefined ? {} : { error: true as const };
    checkExpectation(check, item, { ...fields, ...four }, `item ${index} of ${what}`);
    if (typeof error === "string") {
      const actual = (item as { error?: unknown }).error;
      check.equal(actual, error, `'error' of item ${index} of ${what}`, "T2");
    }
  }
}

/** Asserts one field, whose expected value may be a matcher. */
function checkField(
  check: Checker,
  actual: unknown,
  expected: JsonValue,
  what: string,
  captured: ReadonlyMap<string, unknown> = new Map(),
): void {
  const [matcher, argument] = taggedValue(expected) ?? [];
  switch (matcher) {
    case "$any":
      check.that(actual !== undefined, `${what} should be there.`);
      return;
    case "$absent":
      check.that(
        actual === undefined || actual === null || actual === false,
        `${what} should be absent, but is ${show(actual)}.`,
      );
      return;
    case "$iso":
      check.that(
        typeof actual === "string" && ISO.test(actual),
        `${what} should be a time in ISO 8601, but is ${show(actual)}.`,
      );
      return;
    case "$includes":
      check.that(
        typeof actual === "string" && actual.includes(String(decodeValue(argument ?? ""))),
        `${what} should include ${show(argument)}, but is ${show(actual)}.`,
      );
      return;
    case "$optional":
      if (actual !== undefined) checkField(check, actual, argument ?? null, what);
      return;
    case "$not":
      check.that(
        !isDeepStrictEqual(actual, decodeValue(argument ?? null, captured)),
        `${what} should be another than ${show(actual)}.`,
      );
      return;
    case "$ref":
      check.equal(actual, decodeValue(expected, captured), what);
      return;
    default:
      checkPlain(check, actual, expected, what);
  }
}

function checkPlain(check: Checker, actual: unknown, expected: JsonValue, what: string): void {
  const nested =
    typeof expected === "object" && expected !== null && taggedValue(expected) === undefined;
  if (!nested) {
    check.equal(actual, decodeValue(expected), what);
    return;
  }
  if (Array.isArray(expected)) {
    const items: unknown[] = Array.isArray(actual) ? actual : [];
    check.equal(items.length, expected.length, `The length of ${what}`);
  }
  // Only the fields that are named count: results may say more.
  for (const [key, value] of Object.entries(expected as Record<string, JsonValue>)) {
    const field: unknown =
      typeof actual === "object" && actual !== null
        ? (actual as Record<string, unknown>)[key]
        : undefined;
    checkField(check, field, value, `${key} of ${what}`);
  }
}

function pathsOf(files: unknown): unknown {
  return Array.isArray(files) ? files.map((file: { path?: unknown }) => file.path) : files;
}

function linesOf(matches: unknown): unknown {
  if (!Array.isArray(matches)) return matches;
  return matches.map((match: { path?: unknown; line?: unknown; text?: unknown }) => [
    match.path,
    match.line,
    match.text,
  ]);
}
