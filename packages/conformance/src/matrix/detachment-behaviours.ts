import type { CaseContext } from "../engine/case-context.js";
import { hasFailed } from "../engine/checker.js";
import { detachedResult, spoiledDeeply } from "../engine/poison.js";
import { unguardedCall } from "../engine/unguarded-call.js";
import { Eyes } from "../eyes/eyes.js";
import type { Behaviour } from "./behaviour.js";
import { checkAnswer, resultOf } from "./check-answer.js";
import { optionsIndexOf, type Row } from "./row.js";
import { placeOf, stageOf, SUBJECT_TEXT } from "./stage.js";

function raw(context: CaseContext, row: Row, args: unknown[]): Promise<unknown> {
  return unguardedCall(context, row.method, args);
}

async function argumentsInFlight(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  const options = optionsToChange(row);
  const args = row.args(path, SUBJECT_TEXT, options);
  const prediction = row.predict(model, path, SUBJECT_TEXT);
  const pending = raw(context, row, args);
  for (const argument of args) changeDeeply(argument);
  const answer = detachedResult(await pending);
  const what = `${row.method}, whose arguments were changed while it ran,`;
  checkAnswer(context.check, row, answer, prediction, what, "A5");
  await eyes.see(model.files, `after ${what}`);
}

/** The same where the call has to wait for other changes of its path, which leave all as it is. */
async function argumentsInLine(context: CaseContext, row: Row): Promise<void> {
  const { check, profile } = context;
  const { path, model } = await placeOf(context, row);
  const args = row.args(path, SUBJECT_TEXT, optionsToChange(row));
  const prediction = row.predict(model, path, SUBJECT_TEXT);
  const before = [unguardedCall(context, "edit", [path, "one", "one"])];
  if (profile.multiEdit)
    before.push(unguardedCall(context, "multiEdit", [path, [{ old: "one", new: "one" }]]));
  const pending = raw(context, row, args);
  for (const argument of args) changeDeeply(argument);
  const answer = detachedResult(await pending);
  await Promise.all(before);
  const what = `${row.method}, whose arguments were changed while it waited for another change,`;
  const result = resultOf(row, answer);
  if (profile.conflicts === "reject" && hasFailed(result)) {
    check.failed(result, "conflict", what, "E7");
    return;
  }
  checkAnswer(check, row, answer, prediction, what, "A5");
  await new Eyes(context).see(model.files, `after ${what}`);
}

function optionsToChange(row: Row): Record<string, unknown> {
  return row.id.endsWith("-over") ? { overwrite: true } : {};
}

/** Makes every list and object an other one, in place. */
function changeDeeply(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(0x2a);
  else if (Array.isArray(value)) {
    for (const [index, item] of (value as unknown[]).entries()) {
      if (typeof item === "string") value[index] = "/changed.txt";
      else changeDeeply(item);
    }
  } else if (typeof value === "object" && value !== null && !(value instanceof AbortSignal)) {
    const record = value as Record<string, unknown>;
    for (const key of Object.keys(record))
      record[key] = typeof record[key] === "boolean" ? false : "changed";
    record["ifVersion"] = "changed";
  }
}

async function resultsOverwritten(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  const first = await raw(context, row, row.args(path, SUBJECT_TEXT));
  const kept: unknown = structuredClone(first);
  const prediction = row.predict(model, path, SUBJECT_TEXT);
  checkAnswer(context.check, row, kept, prediction, row.method, "A5");
  spoiledDeeply(first);
  await eyes.see(model.files, `after the result of ${row.method} was overwritten`);
  if (row.kind === "change") return;
  const again: unknown = structuredClone(await raw(context, row, row.args(path, SUBJECT_TEXT)));
  context.check.equal(
    again,
    kept,
    `What ${row.method} answers after its first result was overwritten`,
    "A5",
  );
}

async function resultsKept(context: CaseContext, row: Row): Promise<void> {
  const { path, eyes, model } = await stageOf(context, row);
  const first = await raw(context, row, row.args(path, SUBJECT_TEXT));
  const kept: unknown = structuredClone(first);
  row.predict(model, path, SUBJECT_TEXT);
  await eyes.see(model.files, `after ${row.method}`);
  const other = await stageOf(context, { ...row, beside: {} }, "/other");
  // The same call on another file, and a refusal: what they answer is their own.
  for (const next of [other.path, "/no/such/file.txt", path])
    await raw(context, row, row.args(next, SUBJECT_TEXT));
  context.check.equal(first, kept, `The first answer of ${row.method} after other calls`, "A5");
}

/** Contents of every kind that a cache may hand out as they are: bytes, a picture, an empty file, a text. */
const CACHED: Readonly<Record<string, string>> = {
  "/d/bytes": "one\u0000\n",
  "/d/picture.png": "picture",
  "/d/empty": "",
  "/d/text.txt": SUBJECT_TEXT,
};

async function contentsOverwritten(context: CaseContext, row: Row): Promise<void> {
  await context.given(CACHED);
  for (const path of Object.keys(CACHED)) {
    const args = row.args(path, CACHED[path]);
    const kept: unknown = structuredClone(await raw(context, row, args));
    for (const time of ["second", "third"]) {
      const answer = await raw(context, row, row.args(path, CACHED[path]));
      context.check.equal(
        structuredClone(answer),
        kept,
        `The ${time} answer of ${row.method} of ${path}, when the one before was overwritten,`,
        "A5",
      );
      spoiledDeeply(answer);
    }
  }
  if (!row.batch) return;
  // One file twice in one batch: two answers, which share nothing.
  const twice = (await raw(context, row, [["/d/bytes", "/d/bytes"]])) as unknown[];
  const second: unknown = structuredClone(twice[1]);
  spoiledDeeply(twice[0]);
  context.check.equal(structuredClone(twice[1]), second, "The second of two equal items", "A5");
}

async function refusalsOverwritten(context: CaseContext, row: Row): Promise<void> {
  const { model, eyes } = await stageOf(context, row);
  const call = (): Promise<unknown> =>
    raw(context, row, row.args("/no/such/file.txt/", SUBJECT_TEXT));
  const first = await call();
  const kept: unknown = structuredClone(first);
  spoiledDeeply(first);
  context.check.equal(
    structuredClone(await call()),
    kept,
    `The second refusal of ${row.method}`,
    "A5",
  );
  await eyes.see(model.files, `after two refusals of ${row.method}`);
}

async function frozenArguments(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  const args = row.args(path, SUBJECT_TEXT, optionsToChange(row));
  for (const argument of args) freezeDeeply(argument);
  const prediction = row.predict(model, path, SUBJECT_TEXT);
  const answer = detachedResult(await raw(context, row, args.slice(0, optionsIndexOf(row) + 1)));
  checkAnswer(context.check, row, answer, prediction, `${row.method} with frozen arguments`, "A5");
  await eyes.see(model.files, `after ${row.method} with frozen arguments`);
}

function freezeDeeply(value: unknown): void {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return;
  for (const item of Object.values(value)) freezeDeeply(item);
  Object.freeze(value);
}

/** A5, for every method. */
export const DETACHMENT_BEHAVIOURS: readonly Behaviour[] = [
  {
    id: "arguments-in-flight",
    rules: ["A5"],
    why: "What a caller does to its lists, objects and buffers once the call was made changes nothing.",
    hint: "Copy lists, edits, options and bytes before the first await.",
    run: argumentsInFlight,
  },
  {
    id: "arguments-in-line",
    rules: ["A5"],
    level: "safe",
    needs: ["consistency=strong"],
    why: "What a caller does to its lists, objects and buffers while its call waits for another one changes nothing either.",
    hint: "Copy the arguments when the call is made, not when its turn comes.",
    without: (row) => (row.kind === "read" ? "it waits for no change" : undefined),
    run: argumentsInLine,
  },
  {
    id: "results-overwritten",
    rules: ["A5"],
    why: "A result belongs to the caller: overwriting all of it changes no later answer.",
    hint: "A cache must answer with copies.",
    run: resultsOverwritten,
  },
  {
    id: "results-kept",
    rules: ["A5"],
    why: "What a call answered stays as it is, whatever is called afterwards.",
    hint: "Make a new result object for every call.",
    run: resultsKept,
  },
  {
    id: "contents-overwritten",
    rules: ["A5", "T1"],
    why: "Contents belong to the caller, bytes and pictures too, also where one file is asked for twice.",
    hint: "Hand out a copy of the bytes, one for each answer.",
    without: (row) => (row.kind === "read" && row.file ? undefined : "it answers with no content"),
    run: contentsOverwritten,
  },
  {
    id: "refusals-overwritten",
    rules: ["A5"],
    why: "A refusal belongs to the caller too.",
    hint: "Make a new result object for every call.",
    without: (row) =>
      row.file || row.kind === "read"
        ? undefined
        : "it takes what ends in a slash, so that it is refused for other reasons",
    run: refusalsOverwritten,
  },
  {
    id: "frozen-arguments",
    rules: ["A5"],
    why: "A call changes none of its arguments: it works with frozen ones.",
    hint: "Sort and splice copies.",
    run: frozenArguments,
  },
];
