import { METHODS, type Method } from "@fs/protocol";
import type { CaseContext } from "../engine/case-context.js";
import type { Behaviour } from "./behaviour.js";
import { checkAnswer } from "./check-answer.js";
import { optionsIndexOf, type Row } from "./row.js";
import { stageOf, SUBJECT_TEXT } from "./stage.js";

type OptionKind = Method["options"][string];

/** Refused as wrong, or as what this backend cannot honour: never ignored. */
const REFUSALS = ["invalid_argument", "unsupported"];

/**
 * Values that are none of a kind of option. `null` is left open but for a version: some take it for no value, and the version of what
 * was not found would put a change on no condition.
 */
const WRONG_VALUES: Readonly<Record<OptionKind, readonly unknown[]>> = {
  signal: ["now", 42, {}, { aborted: "yes" }],
  count: ["3", -1, 1.5, Number.NaN, Infinity, true],
  text: [5, 0, true, {}, ["x"]],
  version: [5, 0, true, {}, ["x"], "", null],
  flag: ["yes", "false", 1, 0, {}],
  seconds: ["1", -1],
};

/** The options of a method, each with its kind, that the profile lets a backend honour. */
function optionsOf({ profile }: CaseContext, { method }: Row): Array<[string, OptionKind]> {
  return Object.entries(METHODS[method].options).filter(
    ([name]) =>
      (profile.signals || name !== "signal") &&
      (profile.versions || name !== "ifVersion") &&
      (profile.regex || name !== "regex"),
  );
}

/** The arguments of a call on the subject, with these options in their place. */
function argsWith(row: Row, path: string, options: object): unknown[] {
  const args = row.args(path, SUBJECT_TEXT, {});
  const own = args.at(optionsIndexOf(row));
  return args.with(optionsIndexOf(row), { ...(own as object), ...options });
}

/** Misspelt options, those of other methods, and those that callers know from elsewhere. */
const UNKNOWN = [
  ..."ifversion ifabsent Signal recursive __proto__x overwrite ifVersion ifAbsent limit after before".split(
    " ",
  ),
  ..."regex ignoreCase multiline maxCount offset encoding flag mode append atomic force dryRun".split(
    " ",
  ),
  // Names that every object inherits: a lookup in a plain object finds them.
  ..."constructor toString hasOwnProperty valueOf".split(" "),
  ..."createParents ifMatch ifNoneMatch followSymlinks replaceAll timeout case_sensitive".split(
    " ",
  ),
];

async function unknownOptions(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  const own = new Set(Object.keys(METHODS[row.method].options));
  for (const name of UNKNOWN.filter((one) => !own.has(one))) {
    const answer = await context.backend.call(row.method, argsWith(row, path, { [name]: "1" }));
    const what = `${row.method} with the option '${name}', which it does not have,`;
    checkAnswer(context.check, row, answer, { codes: REFUSALS }, what, "A9");
  }
  await eyes.see(model.files, `after calls of ${row.method} that were refused`);
}

async function optionTypes(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  for (const [name, kind] of optionsOf(context, row)) {
    for (const value of WRONG_VALUES[kind]) {
      const answer = await context.backend.call(row.method, argsWith(row, path, { [name]: value }));
      const what = `${row.method} with '${name}' as ${typeof value === "string" ? JSON.stringify(value) : String(value)}`;
      checkAnswer(context.check, row, answer, { codes: REFUSALS }, what, "A9");
    }
  }
  context.check.that(true, "Every wrong option was refused.");
  await eyes.see(model.files, `after calls of ${row.method} that were refused`);
}

async function undefinedOptions(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  const names = Object.keys(METHODS[row.method].options);
  const own = row.args(path, SUBJECT_TEXT, {}).at(optionsIndexOf(row)) as object;
  const left = names.filter((name) => !(name in own));
  const options = Object.fromEntries(left.map((name) => [name, undefined]));
  const prediction = row.predict(model, path, SUBJECT_TEXT);
  const answer = await context.backend.call(row.method, argsWith(row, path, options));
  const what = `${row.method} with options that are undefined`;
  checkAnswer(context.check, row, answer, prediction, what, "A9");
  await eyes.see(model.files, `after ${what}`);
}

/** A9, for every method. */
export const OPTION_BEHAVIOURS: readonly Behaviour[] = [
  {
    id: "unknown-options",
    rules: ["A9"],
    why: "An option that the method does not have is refused, so that a misspelt condition protects all the same.",
    hint: "Compare the names of the options with those you know, before anything is done.",
    run: unknownOptions,
  },
  {
    id: "option-types",
    rules: ["A9"],
    why: "An option of the wrong type is refused, never guessed, converted or ignored.",
    hint: "Truthiness is no type: ask for true and false, whole numbers and strings.",
    run: optionTypes,
  },
  {
    id: "undefined-options",
    rules: ["A9"],
    why: "Options that are undefined are left out: no condition, no limit, no signal.",
    hint: "`'ifVersion' in options` is true for `{ ifVersion: undefined }`.",
    run: undefinedOptions,
  },
];
