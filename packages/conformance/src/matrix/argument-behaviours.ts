import type { CaseContext } from "../engine/case-context.js";
import { hasFailed } from "../engine/checker.js";
import { treeOf } from "../eyes/tree.js";
import type { Behaviour } from "./behaviour.js";
import { checkAnswer, resultOf } from "./check-answer.js";
import { optionsIndexOf, type Row } from "./row.js";
import { stores } from "./situation-cells.js";
import { pathOfBytes } from "./situation.js";
import { show } from "../report/render.js";
import { wrongArguments } from "./wrong-arguments.js";
import { stageOf, SUBJECT_TEXT } from "./stage.js";

/** What P2 refuses, each for another reason. */
const BAD_PATHS: readonly string[] = [
  "d/a.txt",
  "./d/a.txt",
  "..",
  "/d/../d/a.txt",
  "/../d/a.txt",
  "/d/..",
  "/~/a.txt",
  "/d/~",
  "/d/a\u0000.txt",
  "/d/a\n.txt",
  "/d/\u007fa.txt",
  "/d/\u001f",
  "/d/\ud800.txt",
  "/d/\udc00",
  `/d/${"é".repeat(127)}ab`,
  `${pathOfBytes(4095)}é`,
];

/** What a wrong argument beside the path is called; `unsupported` where no such argument can be honoured. */
const REFUSALS = ["invalid_argument", "invalid_pattern", "unsupported"];

const INVALID = ["invalid_path", "invalid_argument", "invalid_pattern", "invalid_range"];

async function badPaths(context: CaseContext, row: Row): Promise<void> {
  const { model, eyes } = await stageOf(context, row);
  const optional = ["ls", "glob", "grep"].includes(row.method);
  for (const path of optional ? BAD_PATHS : [...BAD_PATHS, ""]) {
    const answer = await context.backend.call(row.method, row.args(path, SUBJECT_TEXT));
    const what = `${row.method} of ${JSON.stringify(path.slice(0, 60))}`;
    checkAnswer(context.check, row, answer, { codes: ["invalid_path"] }, what, "P2");
  }
  await eyes.see(model.files, `after calls of ${row.method} that were refused`);
}

/** Values that are right nowhere, whatever a place asks for. */
const WRONG: readonly unknown[] = [42, 42n, true, {}, [], Number.NaN, () => "/d/a.txt"];

async function wrongTypes(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  for (const value of WRONG) {
    const answer = await context.backend.call(row.method, row.args(value, SUBJECT_TEXT));
    const what = `${row.method} of a path that is ${show(value)}`;
    checkAnswer(context.check, row, answer, { codes: INVALID }, what, "A1");
  }
  for (const [what, args] of wrongArguments(row, path)) {
    const answer = await context.backend.call(row.method, args);
    context.check.that(
      hasFailed(resultOf(row, answer)),
      `${row.method} with ${what} should have failed, but it succeeded.`,
      "A1",
    );
  }
  await eyes.see(model.files, `after calls of ${row.method} that were refused`);
}

async function nullOptions(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  const args = row
    .args(path, SUBJECT_TEXT, {})
    .with(optionsIndexOf(row), row.id.endsWith("-over") ? { overwrite: true } : null);
  const prediction = row.predict(model, path, SUBJECT_TEXT);
  const answer = await context.backend.call(row.method, args);
  checkAnswer(
    context.check,
    row,
    answer,
    prediction,
    `${row.method} with options that are null`,
    "A1",
  );
  await eyes.see(model.files, `after ${row.method} with options that are null`);
}

/** Things that are no signal, and options that cannot be read. */
const STRANGE_OPTIONS: readonly unknown[] = [
  { signal: {} },
  { signal: "now" },
  { signal: 42 },
  { signal: null },
  { signal: { aborted: "yes" } },
  {
    get signal(): never {
      throw new Error("a getter that throws");
    },
  },
  "options",
  7,
];

async function strangeOptions(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  for (const options of STRANGE_OPTIONS) {
    const args = [...row.args(path, SUBJECT_TEXT, {}).slice(0, optionsIndexOf(row)), options];
    const answer = await context.backend.call(row.method, args);
    // Refused, or taken for no signal: both are answers. Only what follows must agree with the answer.
    if (!hasFailed(resultOf(row, answer))) row.predict(model, path, SUBJECT_TEXT);
    context.check.that(true, "It answered.");
  }
  await eyes.see(model.files, `after calls of ${row.method} with strange options`);
}

async function namesThePath(context: CaseContext, row: Row): Promise<void> {
  await stageOf(context, row);
  for (const path of ["/no/such dir/file.txt", "//no/./such dir//file.txt"]) {
    const answer = await context.backend.call(row.method, row.args(path, SUBJECT_TEXT));
    const { error } = resultOf(row, answer);
    context.check.that(
      typeof error === "string" && error.includes(path),
      `The error of ${row.method} should name '${path}', but it says ${JSON.stringify(error)}.`,
      "A6",
    );
  }
}

function isUploadOrWrite(row: Row): string | undefined {
  if (row.batch) return "the errors of a batch are one of four words";
  if (row.id === "write" || row.id.endsWith("-to") || row.id.endsWith("-over"))
    return "it creates what is missing";
  return undefined;
}

/** What may be at the path of a call whose other arguments are wrong. */
const ANYTHING: ReadonlyArray<readonly [what: string, path: string]> = [
  ["nothing", "/d/none.txt"],
  ["nothing, nor its directory", "/no/such/file.txt"],
  ["a directory", "/sub"],
  ["bytes", "/bytes.txt"],
  ["a picture", "/picture.png"],
  ["an empty file", "/empty.txt"],
];

/** A2, A10: what a method answers has the fields and types of the protocol, whatever it meets. The guard judges each answer. */
async function answers(context: CaseContext, row: Row): Promise<void> {
  const { path, eyes, model } = await stageOf(context, row);
  const changed = model.clone();
  const others = {
    "/sub/a.txt": SUBJECT_TEXT,
    "/bytes.txt": "one\u0000\n",
    "/picture.png": SUBJECT_TEXT,
    "/empty.txt": "",
    "/kept.txt": "kept\n",
  };
  await context.given(others);
  for (const [other, bytes] of treeOf(others)) changed.put(other, bytes);
  const paths = [...ANYTHING.map(([, other]) => other), "/d", path];
  // A storage that does not distinguish files and directories may put one where the other is.
  const open = stores(row) && context.profile.collisions === "allowed";
  for (const other of paths.filter((one) => !open || !["/sub", "/d"].includes(one))) {
    const prediction = row.predict(changed, other, SUBJECT_TEXT);
    const answer = await context.backend.call(row.method, row.args(other, SUBJECT_TEXT));
    const what = `${row.method} of ${other}`;
    checkAnswer(context.check, row, answer, prediction, what, "A2");
  }
  await eyes.see(changed.files, `after calls of ${row.method}`);
}

async function argumentsFirst(context: CaseContext, row: Row): Promise<void> {
  const { model, eyes } = await stageOf(context, row);
  const others = {
    "/sub/a.txt": SUBJECT_TEXT,
    "/bytes.txt": "one\u0000\n",
    "/picture.png": SUBJECT_TEXT,
    "/empty.txt": "",
  };
  await context.given(others);
  for (const [path, bytes] of treeOf(others)) model.put(path, bytes);
  await eyes.prime(model.files);
  for (const [place, path] of ANYTHING) {
    const unknown = row.args(path, SUBJECT_TEXT, { nope: 1 });
    for (const [what, args] of [["an unknown option", unknown], ...wrongArguments(row, path)]) {
      const answer = await context.backend.call(row.method, args as unknown[]);
      const call = `${row.method} with ${String(what)}, where ${place} is,`;
      checkAnswer(context.check, row, answer, { codes: REFUSALS }, call, "A9");
    }
  }
  await eyes.see(model.files, `after calls of ${row.method} that were refused`);
}

/** A1, A5, A6 and P2, for every method. */
export const ARGUMENT_BEHAVIOURS: readonly Behaviour[] = [
  {
    id: "bad-paths",
    rules: ["P2"],
    why: "What P2 refuses is refused by every method, and changes nothing.",
    hint: "One function that makes paths canonical, called first by every method.",
    run: badPaths,
  },
  {
    id: "wrong-types",
    rules: ["A1", "A9", "W3", "A10"],
    why: "Arguments of the wrong type are refused with a sentence, never thrown, guessed or stored.",
    run: wrongTypes,
  },
  {
    id: "answers",
    rules: ["A2", "A10", "A3"],
    why: "Every answer is a failure with a sentence and a code, or data of the types of the protocol, never both.",
    run: answers,
  },
  {
    id: "arguments-first",
    rules: ["A9", "R4", "G3", "S6", "W3"],
    why: "Wrong arguments are refused as such whatever is at the path: nothing, a directory or bytes.",
    hint: "Judge every argument and option before the storage is asked, so that the answer does not depend on it.",
    run: argumentsFirst,
  },
  {
    id: "null-options",
    rules: ["A1"],
    why: "Options that are null are no options.",
    run: nullOptions,
  },
  {
    id: "strange-options",
    rules: ["A1"],
    why: "Something that is no AbortSignal, or options that throw when read, end in an answer, never in an exception.",
    hint: "Read the options inside the async function, and ask a signal only whether it is an AbortSignal.",
    run: strangeOptions,
  },
  {
    id: "error-names-path",
    rules: ["A6"],
    why: "A failure names the path as the caller wrote it.",
    without: isUploadOrWrite,
    run: namesThePath,
  },
];
