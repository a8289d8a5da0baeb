import { textOf } from "../eyes/tree.js";
import { linesOf } from "../model/text-rules.js";
import { searched, type Search } from "../twins/grep-twin.js";
import type { Dice } from "./dice.js";
import { nameOf, respelled } from "./exploration.js";
import { baseOf, patternOf } from "./plan-listings.js";
import { sentenceOf, type Answer, type Plan } from "./planned-call.js";

/** Matches with their context that a search may have: the rest of it is only more of the same. */
const MOST_MATCHES = 3000;

/** S1 to S8: a text cut out of a file that is there, with every option. */
export const planGrep: Plan = (exploration, dice) => {
  const { model, context } = exploration;
  const file = exploration.file(dice);
  if (file === undefined) return undefined;
  const text = textOf(file, exploration.bytes(file)) ?? "a";
  const literal = needleOf(dice, text);
  if (literal === "") return undefined;
  const regex = context.profile.regex && dice.once(5);
  const directory = baseOf(exploration, dice, file);
  const path = dice.once(5) ? file : directory;
  const around = dice.once(4)
    ? { before: dice.below(3), after: dice.below(3) }
    : { before: 0, after: 0 };
  const wide = {
    pattern: regex ? expressionOf(dice, literal) : literal,
    path,
    glob: dice.once(4) ? filterOf(dice, file, directory) : null,
    // Engines fold what is beyond ASCII in ways of their own.
    ignoreCase: dice.once(4) && (!regex || /^[ -~]*$/.test(literal)),
    maxCount: null,
    regex,
    ...around,
  };
  const all = searched(model.files, wide).matches;
  if (all.length > MOST_MATCHES) return undefined;
  const caps = [0, 1, all.length, all.length - 1, all.length + 1].filter((count) => count >= 0);
  const search: Search = dice.once(3) ? { ...wide, maxCount: dice.pick(caps) } : wide;
  const args = argumentsOf(dice, search);
  const what = sentenceOf({ method: "grep", args });
  const expected = searched(model.files, search);
  return {
    method: "grep",
    args,
    touches: [path],
    changes: false,
    settle: (answer) => {
      const { check } = context;
      check.succeeded(answer as Answer, what, "S1");
      const { matches, truncated } = answer as { matches?: readonly Answer[]; truncated?: boolean };
      const found = matches?.map((match) => [
        match["path"],
        match["line"],
        match["text"],
        search.before === 0 ? [] : (match["before"] ?? []),
        search.after === 0 ? [] : (match["after"] ?? []),
      ]);
      check.equal(found, expected.matches, `What ${what} finds`, "S1");
      check.equal(truncated ?? false, expected.truncated, `'truncated' of ${what}`, "S7");
    },
  };
};

function needleOf(dice: Dice, text: string): string {
  const lines = linesOf(text);
  const line = (lines.length === 0 ? "a" : dice.pick(lines)).replaceAll(/[\r\n]+$/g, "");
  const characters = Array.from(line);
  const from = dice.below(characters.length + 1);
  const needle = dice.once(5) ? line : characters.slice(from, from + 1 + dice.below(5)).join("");
  const turned = dice.once(5) ? needle.toUpperCase() : dice.once(8) ? needle.toLowerCase() : needle;
  return /[\r\n\0]/.test(turned) || turned.length > 500 ? "a" : turned;
}

/** An expression that matches a text, or nearly. */
function expressionOf(dice: Dice, literal: string): string {
  const escaped = literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  switch (dice.below(5)) {
    case 0:
      return `^${escaped}`;
    case 1:
      return `${escaped}$`;
    case 2:
      return `(${escaped}|none)`;
    case 3:
      return `${escaped}.`;
    default:
      return escaped;
  }
}

/** S5: a filter by name, by path below the directory, or from the root. */
function filterOf(dice: Dice, file: string, directory: string): string {
  switch (dice.below(3)) {
    case 0:
      return patternOf(dice, nameOf(file));
    case 1:
      return patternOf(dice, file.slice(directory.length + 1));
    default:
      return `/${patternOf(dice, file.slice(1))}`;
  }
}

/** The arguments of a search: those at the end that say nothing are left out, or not. */
function argumentsOf(dice: Dice, search: Search): unknown[] {
  const { pattern, path, glob, maxCount, ignoreCase, before, after, regex } = search;
  const options = {
    ...(ignoreCase ? { ignoreCase } : {}),
    ...(before === 0 ? {} : { before }),
    ...(after === 0 ? {} : { after }),
    ...(regex ? { regex } : {}),
  };
  const written = respelled(dice, path);
  if (Object.keys(options).length > 0) return [pattern, written, glob, maxCount, options];
  if (maxCount !== null) return [pattern, written, glob, maxCount];
  return glob === null ? [pattern, written] : [pattern, written, glob];
}
