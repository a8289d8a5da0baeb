import { textOf } from "../eyes/tree.js";
import {
  editedByAll,
  editedText,
  linesOf,
  type EditVerdict,
  type TextEdit,
} from "../model/text-rules.js";
import { growsTooLong, isOpen } from "../model/walk.js";
import { shortText } from "./corner-contents.js";
import type { Dice } from "./dice.js";
import { respelled, type Exploration } from "./exploration.js";
import { conditionOf } from "./plan-stores.js";
import {
  judge,
  sentenceOf,
  stored,
  type Answer,
  type Plan,
  type PlannedCall,
} from "./planned-call.js";

const encoder = new TextEncoder();

/** A text to look for: mostly one that is there, of any extent; sometimes one that only resembles it. */
function oldText(dice: Dice, words: readonly string[], text: string): string {
  const lines = linesOf(text);
  if (lines.length === 0) return shortText(dice, words);
  const line = dice.once(3) ? (lines.at(-1) ?? "") : dice.pick(lines);
  const at = lines.indexOf(line);
  const characters = Array.from(line);
  const from = dice.below(characters.length);
  const some = characters.slice(from, from + 1 + dice.below(6)).join("");
  switch (dice.below(17)) {
    case 14:
    case 15:
    case 16:
      return withOtherEnds(dice, acrossLines(dice, text));
    case 0:
      return text;
    case 1:
      return line;
    case 2:
      return line.replace(/\r?\n$/, "");
    case 3:
      return lines.slice(at, at + 1 + dice.below(3)).join("");
    case 4:
      return (line + (lines[at + 1] ?? "").slice(0, 3)).replaceAll("\r\n", "\n");
    case 5:
      return line.replace(/\n$/, "\r\n");
    case 6:
      return shortText(dice, words);
    case 7:
      return dice.once(2) ? some.toUpperCase() : some.normalize("NFD");
    case 8:
      return ` ${some}`;
    default:
      return some;
  }
}

/** A stretch from one line to another, that often begins or ends with the line end itself. */
function acrossLines(dice: Dice, text: string): string {
  const ends = [...text.matchAll(/\r?\n/g)];
  const end = ends.length === 0 ? undefined : dice.pick(ends);
  if (end === undefined) return text.slice(0, 3);
  const at = end.index + (dice.once(3) ? end[0].length : 0);
  const from = dice.once(2) ? at : at - Math.min(at, dice.below(5));
  return text.slice(from, at + 1 + dice.below(12)).toWellFormed();
}

/** E4: the line ends of a text written in the other way, all of them or one. */
function withOtherEnds(dice: Dice, text: string): string {
  const one = dice.below(2);
  switch (dice.below(4)) {
    case 0:
      return text.replaceAll("\r\n", "\n");
    case 1:
      return text.replaceAll(/\r?\n/g, "\r\n");
    case 2:
      return text.replaceAll(/\r?\n/g, (end, at: number) => (at % 2 === one ? "\n" : end));
    default:
      return text;
  }
}

/** A text to put there: any, nothing, or one that makes the file hold what was looked for again. */
function newText(dice: Dice, words: readonly string[], old: string): string {
  switch (dice.below(9)) {
    case 0:
      return "";
    case 8:
      // With what is beside it, it may be what was looked for.
      return Array.from(old)
        .slice(dice.once(2) ? 1 : 0, -1)
        .join("")
        .toWellFormed();
    case 1:
      return old;
    case 2:
      return old + old;
    case 3:
      return `${old}\n`;
    case 4:
      return dice.pick(["$&", "$1$$", "\\1", "%s", "$`", "\\n", "\u0000"]).replace("\u0000", "é😀");
    default:
      return shortText(dice, words);
  }
}

function planned({ manner }: Exploration, dice: Dice, text: string): TextEdit {
  const old = oldText(dice, manner.words, text);
  return { old, new: newText(dice, manner.words, old), replaceAll: dice.once(2) };
}

function planOf(
  exploration: Exploration,
  dice: Dice,
  {
    path,
    edits,
    method,
  }: { path: string; edits: readonly TextEdit[]; method: "edit" | "multiEdit" },
): PlannedCall | undefined {
  const { model, context } = exploration;
  const text = model.isFile(path) ? textOf(path, exploration.bytes(path)) : undefined;
  const verdict = text === undefined ? undefined : editedByAll(text, edits);
  if (verdict !== undefined && growsTooLong(exploration, verdict)) return undefined;
  if (edits.some((edit) => !edit.old.isWellFormed() || !edit.new.isWellFormed())) return undefined;
  const { options, code } = model.isFile(path)
    ? conditionOf(exploration, dice, path)
    : { options: undefined, code: undefined };
  // `ifAbsent` is no option of an edit.
  if (options !== undefined && "ifAbsent" in options) return undefined;
  const [only] = edits;
  const first =
    method === "edit" ? [only?.old ?? "", only?.new ?? "", only?.replaceAll ?? false] : [edits];
  const args = [respelled(dice, path), ...first, ...(options === undefined ? [] : [options])];
  const refusals = refusalsOf(exploration, path, verdict);
  const codes =
    code === undefined && refusals.length === 0
      ? undefined
      : [...refusals, ...(code === undefined ? [] : [code])];
  const what = sentenceOf({ method, args });
  return {
    method,
    args,
    touches: [path],
    changes: true,
    settle: (answer) => {
      if (judge(exploration, answer, { codes, what, rule: method === "edit" ? "E1" : "E8" })) {
        judgeCount(exploration, { answer: answer as Answer, text: text ?? "", edits, what });
        return;
      }
      if (verdict === undefined || "code" in verdict) return;
      const { occurrences } = answer as Answer;
      context.check.equal(occurrences, verdict.occurrences, `'occurrences' of ${what}`, "E1");
      stored(exploration, { path, bytes: encoder.encode(verdict.text), what }, answer as Answer);
    },
  };
}

function refusalsOf(
  { model }: Exploration,
  path: string,
  verdict: EditVerdict | undefined,
): readonly string[] {
  if (verdict !== undefined) return "code" in verdict ? [verdict.code] : [];
  if (model.isFile(path)) return ["not_text"];
  return [model.isDirectory(path) ? "is_directory" : "not_found"];
}

/** E5: how often a text that is not unique occurs is in the sentence. */
function judgeCount(
  { context }: Exploration,
  {
    answer,
    text,
    edits,
    what,
  }: { answer: Answer; text: string; edits: readonly TextEdit[]; what: string },
): void {
  const [only] = edits;
  if (answer["code"] !== "not_unique" || edits.length !== 1 || only === undefined) return;
  const all = editedText(text, only.old, only.new, true);
  const count = "text" in all ? all.occurrences : 0;
  if (count === 0 || count > 999) return;
  context.check.that(
    new RegExp(`(?<!\\d)${count}(?!\\d)`).test(String(answer["error"])),
    `The sentence of ${what} should say that the text occurs ${count} times, but is ${JSON.stringify(answer["error"])}.`,
    "E5",
  );
}

/** E1 to E7, E9. */
export const planEdit: Plan = (exploration, dice) => {
  const path = exploration.anyPath(dice);
  if (isOpen(exploration, path)) return undefined;
  const edits = [planned(exploration, dice, textOf(path, exploration.bytes(path)) ?? "a")];
  return planOf(exploration, dice, { path, edits, method: "edit" });
};

/** E8: each edit is cut from what the edits before it leave. */
export const planMultiEdit: Plan = (exploration, dice) => {
  const path = exploration.anyPath(dice);
  if (!exploration.context.profile.multiEdit || isOpen(exploration, path)) return undefined;
  let text = textOf(path, exploration.bytes(path)) ?? "a";
  const edits: TextEdit[] = [];
  const count = 1 + dice.below(4);
  for (let n = 0; n < count; n++) {
    const edit = planned(exploration, dice, text);
    edits.push(edit);
    const verdict = editedText(text, edit.old, edit.new, edit.replaceAll);
    if ("text" in verdict) text = verdict.text;
    if (growsTooLong(exploration, verdict)) return undefined;
  }
  return planOf(exploration, dice, { path, edits, method: "multiEdit" });
};
