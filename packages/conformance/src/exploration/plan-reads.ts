import { hasFailed } from "../engine/checker.js";
import { contentOf, pageOf, textOf } from "../eyes/tree.js";
import { linesOf } from "../model/text-rules.js";
import { isOpen } from "../model/walk.js";
import { show } from "../report/render.js";
import { planLsAbove } from "./plan-listings.js";
import { respelled, type Exploration } from "./exploration.js";
import type { Dice } from "./dice.js";
import { judge, sentenceOf, type Answer, type Plan, type PlannedCall } from "./planned-call.js";

/** A look at one path through one method. */
type Look = (exploration: Exploration, dice: Dice, path: string) => PlannedCall | undefined;

const NUMBERS = [0, 0, 1, 1, 2, 3, 10, 99, 100, 499, 500, 501, 1000];

/** R5: why nothing can be read at a path, if so. */
function unreadable({ model }: Exploration, path: string): readonly string[] | undefined {
  if (model.isFile(path)) return undefined;
  return [model.isDirectory(path) ? "is_directory" : "not_found"];
}

const read: Look = (exploration, dice, path) => {
  if (isOpen(exploration, path)) return undefined;
  const bytes = exploration.bytes(path);
  const text = textOf(path, bytes);
  const total = text === undefined ? 0 : linesOf(text).length;
  const around = [total - 1, total, total + 1, total - 500].filter((number) => number >= 0);
  const number = (): number => dice.pick([...NUMBERS, ...around]);
  const numbers = dice.once(3) ? [] : dice.once(3) ? [number()] : [number(), number()];
  const [offset = 0, limit = 500] = numbers;
  const args = [respelled(dice, path), ...numbers];
  const what = sentenceOf({ method: "read", args });
  const past = text !== undefined && offset > 0 && offset >= total;
  const codes = unreadable(exploration, path) ?? (past ? ["invalid_range"] : undefined);
  return {
    method: "read",
    args,
    touches: [path],
    changes: false,
    settle: (answer) => {
      if (judge(exploration, answer, { codes, what, rule: "R1" })) return;
      judgePage(exploration, { path, offset, limit, what }, answer as Answer);
    },
  };
};

function judgePage(
  exploration: Exploration,
  { path, offset, limit, what }: { path: string; offset: number; limit: number; what: string },
  answer: Answer,
): void {
  const { check } = exploration.context;
  const bytes = exploration.bytes(path);
  const text = textOf(path, bytes);
  check.equal(answer["content"], pageOf(path, bytes, offset, limit), `What ${what} gives`, "R1");
  exploration.know(path, bytes, answer["version"], what);
  if (text === undefined || limit === 0) return;
  const total = linesOf(text).length;
  const end = Math.min(total, offset + limit);
  const expected = {
    totalLines: total,
    ...(end === 0 ? {} : { startLine: offset + 1, endLine: end }),
  };
  for (const [field, value] of Object.entries(expected))
    if (answer[field] !== undefined)
      check.equal(answer[field], value, `'${field}' of ${what}`, "R2");
  if (end >= total || answer["nextOffset"] !== undefined)
    check.equal(
      answer["nextOffset"],
      end < total ? end : undefined,
      `'nextOffset' of ${what}`,
      "R2",
    );
}

const readRaw: Look = (exploration, dice, path) => {
  if (isOpen(exploration, path)) return undefined;
  const bytes = exploration.bytes(path);
  const args = [respelled(dice, path)];
  const what = sentenceOf({ method: "readRaw", args });
  const codes = unreadable(exploration, path);
  return {
    method: "readRaw",
    args,
    touches: [path],
    changes: false,
    settle: (answer) => {
      if (judge(exploration, answer, { codes, what, rule: "R9" })) return;
      const { data, version } = answer as { data?: Answer; version?: unknown };
      const content: unknown = data?.["content"];
      const whole = Array.isArray(content) ? content.join("\n") : content;
      exploration.context.check.equal(whole, contentOf(path, bytes), `What ${what} gives`, "R9");
      exploration.know(path, bytes, version, what);
    },
  };
};

const stat: Look = (exploration, dice, path) => {
  const { model, context } = exploration;
  if (!context.backend.has("stat")) return undefined;
  if (isOpen(exploration, path)) return undefined;
  const isDirectory = model.isDirectory(path);
  const args = [respelled(dice, path, isDirectory)];
  const what = sentenceOf({ method: "stat", args });
  const codes = model.isFile(path) || isDirectory ? undefined : ["not_found"];
  const bytes = exploration.bytes(path);
  return {
    method: "stat",
    args,
    touches: [path],
    changes: false,
    settle: (answer) => {
      if (judge(exploration, answer, { codes, what, rule: "F1" })) return;
      const { info } = answer as { info?: Answer };
      context.check.equal(
        info?.["path"],
        isDirectory ? `${path}/` : path,
        `The path of ${what}`,
        "F1",
      );
      context.check.equal(info?.["is_dir"] ?? false, isDirectory, `'is_dir' of ${what}`, "F1");
      if (isDirectory) return;
      context.check.equal(info?.["size"], bytes.length, `The size of ${what}`, "F1");
      exploration.know(path, bytes, info?.["version"], what);
    },
  };
};

const download: Look = (exploration, dice, path) => {
  const { context } = exploration;
  if (!context.profile.transfer) return undefined;
  const others = Array.from({ length: dice.below(5) }, () => exploration.anyPath(dice));
  const paths = [...others, path];
  if (paths.some((one) => isOpen(exploration, one))) return undefined;
  const args = [paths.map((one) => respelled(dice, one))];
  const what = sentenceOf({ method: "downloadFiles", args });
  const expected = paths.map((one) => unreadable(exploration, one) ?? exploration.bytes(one));
  return {
    method: "downloadFiles",
    args,
    touches: paths,
    changes: false,
    settle: (answers) => {
      const list = answers as readonly Answer[];
      context.check.equal(list.length, paths.length, `The number of answers to ${what}`, "T1");
      for (const [n, wanted] of expected.entries()) {
        const answer = list[n] ?? {};
        const item = `Item ${n} of ${what}`;
        if (wanted instanceof Uint8Array) {
          context.check.equal(answer["content"], wanted, `The content of ${item}`, "T1");
          exploration.know(paths[n] ?? "", wanted, answer["version"], item);
          continue;
        }
        const fails =
          hasFailed(answer) && (!context.profile.codes || wanted.includes(String(answer["code"])));
        context.check.that(
          fails,
          `${item} should fail with ${wanted.join(" or ")}, but is ${show(answer)}.`,
          "T2",
        );
      }
    },
  };
};

/** R1 to R8: a page of any extent, or the one of a call without numbers. */
export const planRead: Plan = (exploration, dice) =>
  read(exploration, dice, exploration.anyPath(dice));

/** R9. */
export const planReadRaw: Plan = (exploration, dice) =>
  readRaw(exploration, dice, exploration.anyPath(dice));

/** F1: of a file, a directory, or nothing. */
export const planStat: Plan = (exploration, dice) => {
  const directory = exploration.directory(dice);
  const isWanted = dice.once(4) && directory !== exploration.base;
  return stat(exploration, dice, isWanted ? directory : exploration.anyPath(dice));
};

/** T1, T2: files and what is none, in any order, also twice. */
export const planDownload: Plan = (exploration, dice) =>
  download(exploration, dice, exploration.anyPath(dice));

const LOOKS: readonly Look[] = [read, readRaw, stat, download, planLsAbove];

/** A look at what a call has touched, through any of the methods that read. */
export const planLook: Look = (exploration, dice, path) => {
  const below = exploration.model.isFile(path) ? [] : exploration.model.below(path);
  return dice.pick(LOOKS)(exploration, dice, below.length === 0 ? path : dice.pick(below));
};
