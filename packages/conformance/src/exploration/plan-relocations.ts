import { isOpen } from "../model/walk.js";
import type { Dice } from "./dice.js";
import { respelled, type Exploration } from "./exploration.js";
import { conditionOf } from "./plan-stores.js";
import { judge, sentenceOf, type Plan } from "./planned-call.js";

/** A file, a directory, or what is neither. */
function anyPlace(exploration: Exploration, dice: Dice): string {
  if (dice.once(2)) return exploration.anyPath(dice);
  const directory = exploration.directory(dice);
  return directory === exploration.base ? exploration.anyPath(dice) : directory;
}

/** D1 to D4. */
export const planDelete: Plan = (exploration, dice) => {
  const { model, context } = exploration;
  if (!context.profile.delete) return undefined;
  const path = anyPlace(exploration, dice);
  if (isOpen(exploration, path)) return undefined;
  const isDirectory = model.isDirectory(path);
  // A file removed for good makes room; a directory of many takes much away, and is removed less often.
  if (model.below(path).length > 5 && !dice.once(4)) return undefined;
  const { options, code } = model.isFile(path)
    ? conditionOf(exploration, dice, path)
    : { options: undefined, code: undefined };
  if (options !== undefined && "ifAbsent" in options) return undefined;
  const isThere = model.isFile(path) || isDirectory;
  const codes = isThere ? (code === undefined ? undefined : [code]) : ["not_found"];
  const args = [respelled(dice, path, isDirectory), ...(options === undefined ? [] : [options])];
  const what = sentenceOf({ method: "delete", args });
  return {
    method: "delete",
    args,
    touches: [path],
    changes: true,
    settle: (answer) => {
      if (judge(exploration, answer, { codes, what, rule: "D1" })) return;
      exploration.leaves(path);
      exploration.changed(path);
      model.remove(path);
    },
  };
};

/** M1 and M2: files and directories, to where nothing is, to where something is, and to where they cannot go. */
export const planRelocation: Plan = (exploration, dice) => {
  const { model, context } = exploration;
  const move = dice.once(2);
  const method = move ? "move" : "copy";
  if (!context.profile[method]) return undefined;
  const from = anyPlace(exploration, dice);
  const to = dice.once(3) ? anyPlace(exploration, dice) : exploration.newPath(dice);
  const overwrite = dice.once(3);
  const carried = model.isFile(from) ? [from] : model.below(from);
  // A directory put over another with overwrite merges or not, as the storage has it.
  const merges = !model.isFile(from) && overwrite && (model.isDirectory(to) || model.isFile(to));
  const isOntoItself = to === from || to.startsWith(`${from}/`);
  if (isOpen(exploration, from) || isOpen(exploration, to) || merges || isOntoItself)
    return undefined;
  if (carried.length > 40 && !dice.once(4)) return undefined;
  if (carried.some((file) => !exploration.isPath(to + file.slice(from.length)))) return undefined;
  if (carried.some((file) => isOpen(exploration, to + file.slice(from.length)))) return undefined;
  const args = [
    respelled(dice, from, carried.length > 0 && !model.isFile(from)),
    respelled(dice, to),
    ...(overwrite ? [{ overwrite }] : dice.once(4) ? [{ overwrite: false }] : []),
  ];
  const what = sentenceOf({ method, args });
  const expected = model.clone().relocate(from, to, { move, overwrite });
  return {
    method,
    args,
    touches: [from, to],
    changes: true,
    settle: (answer) => {
      if (judge(exploration, answer, { codes: expected, what, rule: "M1" })) return;
      if (move) {
        exploration.leaves(from);
        exploration.changed(from);
      }
      exploration.changed(to);
      model.relocate(from, to, { move, overwrite });
    },
  };
};
