import { linesOf } from "../model/text-rules.js";
import { isDeepStrictEqual } from "node:util";
import { ISO, type Comparison } from "./compare-listings.js";
import type { Answer, Observation } from "./observe.js";
import { contentOf, pageOf, textOf } from "./tree.js";

const CLOCK_TOLERANCE_MS = 2000;

/** Asserts that `read`, `readRaw`, `downloadFiles` and `stat` show what each file holds, and nothing where there is none. */
export function compareContents(comparison: Comparison, seen: Observation): void {
  const { tree } = comparison;
  for (const [path, answer] of seen.read) {
    const bytes = tree.get(path);
    if (bytes === undefined) gone(comparison, path, answer, "read");
    else {
      same(comparison, `What read gives of`, path, answer["content"], pageOf(path, bytes), "R1");
      compareLines(comparison, path, answer, textOf(path, bytes));
    }
  }
  for (const [path, answer] of seen.page)
    comparePage(comparison, path, answer, seen.read.get(path)?.["version"]);
  for (const [path, answer] of seen.readRaw) {
    const bytes = tree.get(path);
    if (bytes === undefined) gone(comparison, path, answer, "readRaw");
    else {
      const data = (answer["data"] ?? {}) as Answer;
      const content: unknown = data["content"];
      const whole = Array.isArray(content) ? content.join("\n") : content;
      same(comparison, `What readRaw gives of`, path, whole, contentOf(path, bytes), "R9");
      compareTimes(comparison, path, data);
      compareVersion(comparison, "readRaw", path, answer, seen);
    }
  }
  for (const [path, answer] of seen.download) {
    const bytes = tree.get(path);
    if (bytes === undefined) gone(comparison, path, answer, "downloadFiles");
    else {
      same(comparison, `What downloadFiles gives of`, path, answer["content"], bytes, "T1");
      compareVersion(comparison, "downloadFiles", path, answer, seen);
    }
  }
  for (const [path, answer] of seen.stat) compareStat(comparison, path, answer, seen);
}

function same(
  { check, when }: Comparison,
  what: string,
  path: string,
  actual: unknown,
  expected: unknown,
  rule: string,
): void {
  check.equal(actual, expected, `${what} ${JSON.stringify(path)} ${when}`, rule);
}

/** F2: every method that gives the version of a file gives the one that `read` gives. */
function compareVersion(
  comparison: Comparison,
  method: string,
  path: string,
  { version }: Answer,
  { read }: Observation,
): void {
  const shown = read.get(path)?.["version"];
  if (version !== undefined && shown !== undefined)
    same(comparison, `The version in ${method} of`, path, version, shown, "F2");
}

/** A file that is not in the tree is a failure of every method that reads one. */
function gone({ check, when }: Comparison, path: string, answer: Answer, method: string): void {
  const failed = typeof answer["error"] === "string";
  const where = `${method} of ${JSON.stringify(path)}, which is not there ${when},`;
  check.that(failed, `${where} should fail, but it answered.`, method === "stat" ? "R5" : "A7");
}

function compareLines(
  comparison: Comparison,
  path: string,
  answer: Answer,
  text: string | undefined,
): void {
  const { check, when } = comparison;
  if (text === undefined) return;
  const total = linesOf(text).length;
  const shown = Math.min(total, 500);
  const expected: Readonly<Record<string, number | undefined>> = {
    totalLines: total,
    ...(total === 0 ? {} : { startLine: 1, endLine: shown }),
  };
  for (const [field, value] of Object.entries(expected)) {
    if (answer[field] === undefined) continue;
    check.equal(answer[field], value, `'${field}' of ${JSON.stringify(path)} ${when}`, "R2");
  }
  const next = answer["nextOffset"];
  check.that(
    total > shown ? next === undefined || next === shown : next === undefined,
    `'nextOffset' of ${JSON.stringify(path)} ${when} should be ${total > shown ? shown : "absent"}, but is ${JSON.stringify(next)}.`,
    "R2",
  );
}

/** R1, R3: a page that is not the first, which a cache keeps apart. */
function comparePage(comparison: Comparison, path: string, answer: Answer, version: unknown): void {
  const { check, tree, when } = comparison;
  const bytes = tree.get(path);
  if (bytes === undefined) {
    gone(comparison, path, answer, "read of a page");
    return;
  }
  const text = textOf(path, bytes);
  const total = text === undefined ? Infinity : linesOf(text).length;
  if (answer["version"] !== undefined && version !== undefined)
    same(comparison, "The version on the second page of", path, answer["version"], version, "F2");
  if (total > 1)
    same(
      comparison,
      "The second page of",
      path,
      answer["content"],
      pageOf(path, bytes, 1, 2),
      "R1",
    );
  else
    check.that(
      typeof answer["error"] === "string",
      `read of ${JSON.stringify(path)} ${when} from its second line, which it does not have, should fail, but it answered.`,
      "R3",
    );
}

/** How far the clock of a storage may be ahead: a time zone taken for another one, and more. */
const FUTURE_MS = 2 * 24 * 60 * 60 * 1000;

/** L2: a time that is there is one of ISO 8601, and not of the future; a file was not modified before it was made. */
function compareTimes({ check, when }: Comparison, path: string, data: Answer): void {
  const { created_at: created, modified_at: modified } = data;
  for (const [field, time] of Object.entries({ created_at: created, modified_at: modified }))
    check.that(
      time === undefined || (typeof time === "string" && ISO.test(time)),
      `${field} of ${JSON.stringify(path)} ${when} should be a time in ISO 8601, but is ${JSON.stringify(time)}.`,
      "L2",
    );
  check.that(
    typeof modified !== "string" || Date.parse(modified) < Date.now() + FUTURE_MS,
    `modified_at of ${JSON.stringify(path)} ${when} is ${JSON.stringify(modified)}, which has not come yet.`,
    "L2",
  );
  if (typeof created !== "string" || typeof modified !== "string") return;
  // A storage may give whole seconds, by a clock of its own.
  check.that(
    Date.parse(modified) + CLOCK_TOLERANCE_MS >= Date.parse(created),
    `${JSON.stringify(path)} ${when} was modified at ${modified}, before it was created at ${created}.`,
    "R9",
  );
}

function compareStat(
  comparison: Comparison,
  path: string,
  answer: Answer,
  { read }: Observation,
): void {
  const { check, tree, when } = comparison;
  const bytes = tree.get(path);
  if (bytes === undefined) {
    gone(comparison, path, answer, "stat");
    return;
  }
  const info = (answer["info"] ?? {}) as Answer;
  const what = `of ${JSON.stringify(path)} in stat ${when}`;
  check.equal(info["size"], bytes.length, `The size ${what}`, "F1");
  compareTimes(comparison, path, info);
  const mimeType = info["mimeType"];
  check.that(
    mimeType === undefined || mimeType === read.get(path)?.["mimeType"],
    `The type ${what} is ${JSON.stringify(mimeType)}, but read gives ${JSON.stringify(read.get(path)?.["mimeType"])}.`,
    "F1",
  );
  const version = read.get(path)?.["version"];
  if (info["version"] !== undefined && version !== undefined)
    check.that(
      isDeepStrictEqual(info["version"], version),
      `The version ${what} is ${JSON.stringify(info["version"])}, but read gives ${JSON.stringify(version)}.`,
      "W5",
    );
}
