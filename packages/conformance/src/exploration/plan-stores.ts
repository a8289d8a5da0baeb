import { hasFeature } from "../cases/code/feature.js";
import { hasFailed } from "../engine/checker.js";
import { show } from "../report/render.js";
import { isOpen } from "../model/walk.js";
import type { Dice } from "./dice.js";
import { respelled, type Exploration } from "./exploration.js";
import { judge, sentenceOf, stored, type Answer, type Plan } from "./planned-call.js";

const encoder = new TextEncoder();

/** A condition of a change, with whether the file has to be refused for it. */
interface Condition {
  readonly options: object | undefined;
  readonly code: string | undefined;
}

const NONE: Condition = { options: undefined, code: undefined };

/** W5, W8: a condition that holds, or one that does not. */
export function conditionOf(exploration: Exploration, dice: Dice, path: string): Condition {
  const { context, model } = exploration;
  const isThere = model.isFile(path);
  const code = isThere ? "already_exists" : undefined;
  if (!context.profile.versions || !dice.once(3)) return NONE;
  const right = exploration.rightVersion(path);
  const stale = exploration.staleVersion(path);
  switch (dice.below(4)) {
    case 0:
      return { options: { ifAbsent: true }, code };
    case 1:
      return stale === undefined ? NONE : { options: { ifVersion: stale }, code: "conflict" };
    default:
      return right === undefined || !isThere
        ? NONE
        : { options: { ifVersion: right }, code: undefined };
  }
}

/** W1 to W8. */
export const planWrite: Plan = (exploration, dice) => {
  const { model, context } = exploration;
  const replaced = context.profile.writeMode === "overwrite" ? 2 : 1;
  const path = dice.once(5) ? exploration.anyPath(dice) : exploration.anyPath(dice, replaced);
  if (isOpen(exploration, path)) return undefined;
  const text = exploration.text(dice);
  const bytes = encoder.encode(text);
  const { options, code } = conditionOf(exploration, dice, path);
  const args = [respelled(dice, path), text, ...(options === undefined ? [] : [options])];
  const replaces =
    context.profile.writeMode === "overwrite" || (options !== undefined && "ifVersion" in options);
  const collision = model.collision(path);
  const codes =
    collision === undefined
      ? code !== undefined
        ? [code]
        : model.isFile(path) && !replaces
          ? ["already_exists"]
          : undefined
      : [...collision, ...(code === undefined ? [] : [code])];
  const what = sentenceOf({ method: "write", args });
  return {
    method: "write",
    args,
    touches: [path],
    changes: true,
    settle: (answer) => {
      if (judge(exploration, answer, { codes, what, rule: "W1" })) return;
      stored(exploration, { path, bytes, what }, answer as Answer);
    },
  };
};

/** T1 to T3: files of all kinds in one batch, none above or below another. */
export const planUpload: Plan = (exploration, dice) => {
  const { model, context } = exploration;
  if (!context.profile.transfer) return undefined;
  const conditional = hasFeature(context, "conditionalUploads");
  const wanted = dice.once(3) ? 1 + dice.below(6) : 1;
  const items: Array<{ path: string; bytes: Uint8Array; codes: readonly string[] | undefined }> =
    [];
  const files: unknown[] = [];
  for (let n = 0; n < wanted; n++) {
    const path = exploration.anyPath(dice, 2);
    if (isOpen(exploration, path) || items.some((other) => meets(other.path, path))) continue;
    const bytes = exploration.newBytes(dice);
    const { options, code } = conditional ? conditionOf(exploration, dice, path) : NONE;
    const collision = model.collision(path);
    const refusals = [...(collision ?? []), ...(code === undefined ? [] : [code])];
    items.push({ path, bytes, codes: refusals.length === 0 ? undefined : refusals });
    files.push([respelled(dice, path), bytes, ...(options === undefined ? [] : [options])]);
  }
  if (items.length === 0) return undefined;
  const what = sentenceOf({ method: "uploadFiles", args: [files] });
  return {
    method: "uploadFiles",
    args: [files],
    touches: items.map(({ path }) => path),
    changes: true,
    settle: (answers) => {
      const list = answers as readonly Answer[];
      context.check.equal(list.length, items.length, `The number of answers to ${what}`, "T1");
      for (const [n, { path, bytes, codes }] of items.entries()) {
        const answer = list[n] ?? {};
        const item = `File ${n} of ${what}`;
        context.check.that(
          hasFailed(answer) === (codes !== undefined),
          `${item} should ${codes === undefined ? "be stored" : `be refused with ${codes.join(" or ")}`}, but answers ${show(answer)}.`,
          "T1",
        );
        if (codes === undefined) stored(exploration, { path, bytes, what: item }, answer);
        else if (context.profile.codes)
          context.check.that(
            codes.some((code) => code === answer["code"]),
            `${item} should be refused with ${codes.join(" or ")}, but its code is ${show(answer["code"])}.`,
            "T2",
          );
      }
    },
  };
};

/** Many files of one directory at once, whose names sort otherwise than their numbers. */
export const planFill: Plan = (exploration, dice) => {
  const { context } = exploration;
  if (!context.profile.transfer) return undefined;
  const directory = `${exploration.newPath(dice)}-full`;
  if (!exploration.isPath(`${directory}/file-0000`)) return undefined;
  if (exploration.model.collision(directory) !== undefined || isOpen(exploration, directory))
    return undefined;
  const many = context.tier === "quick" ? [7, 12, 26] : [26, 101, 130, 257, 520];
  const count = dice.pick(many);
  const text = encoder.encode("one a\ntwo\n");
  const files = Array.from({ length: count }, (_, n): [string, Uint8Array] => [
    `${directory}/${n % 3 === 0 ? `d${n % 7}/` : ""}${n}`,
    n % 2 === 0 ? text : encoder.encode(`file ${n} a\n`),
  ]);
  if (
    files.some(
      ([path]) => exploration.model.collision(path) !== undefined || isOpen(exploration, path),
    )
  )
    return undefined;
  return {
    method: "uploadFiles",
    args: [files],
    touches: [directory],
    changes: true,
    settle: (answers) => {
      for (const [n, [path, bytes]] of files.entries()) {
        const answer = (answers as readonly Answer[])[n] ?? {};
        const what = `The upload of ${show(path)}, one of ${count},`;
        context.check.succeeded(answer, what, "T1");
        stored(exploration, { path, bytes, what }, answer);
      }
    },
  };
};

/** Whether one of two paths is the other, or above it. */
export function meets(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}
