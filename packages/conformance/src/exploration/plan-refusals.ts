import { isOpen } from "../model/walk.js";
import type { Dice } from "./dice.js";
import { brokenPath } from "./corner-names.js";
import type { Exploration } from "./exploration.js";
import { judge, sentenceOf, type Plan } from "./planned-call.js";

/** The arguments of a call of each method that names one file. */
function callOf(
  exploration: Exploration,
  dice: Dice,
  path: string,
): { method: string; args: unknown[] } {
  const { profile, backend } = exploration.context;
  const file = exploration.file(dice) ?? `${exploration.base}/a`;
  const calls = [
    { method: "read", args: [path] },
    { method: "readRaw", args: [path] },
    { method: "write", args: [path, "text"] },
    { method: "edit", args: [path, "a", "b"] },
    { method: "ls", args: [path] },
    { method: "glob", args: ["**", path] },
    { method: "grep", args: ["a", path] },
    ...(backend.has("stat") ? [{ method: "stat", args: [path] }] : []),
    ...(profile.delete ? [{ method: "delete", args: [path] }] : []),
    ...(profile.multiEdit ? [{ method: "multiEdit", args: [path, [{ old: "a", new: "b" }]] }] : []),
    ...(["move", "copy"] as const).flatMap((method) =>
      profile[method]
        ? [
            { method, args: [path, `${file}-2`] },
            { method, args: [file, path] },
          ]
        : [],
    ),
    ...(profile.transfer
      ? [
          { method: "uploadFiles", args: [[[path, new Uint8Array([97])]]] },
          { method: "downloadFiles", args: [[path]] },
        ]
      : []),
  ];
  return dice.pick(calls);
}

/** W3: half of a character is stored by nothing. */
export const planIllFormed: Plan = (exploration, dice) => {
  const { profile } = exploration.context;
  const path = exploration.anyPath(dice, 3);
  if (isOpen(exploration, path)) return undefined;
  const broken = dice.pick(["\ud83d", "a\ude00", "\ude00\ud83d", "text\ud800\n", "\ud800é"]);
  const calls = [
    { method: "write", args: [path, broken] },
    { method: "edit", args: [path, "a", broken] },
    { method: "edit", args: [path, broken, "a", true] },
    ...(profile.multiEdit
      ? [
          {
            method: "multiEdit",
            args: [
              path,
              [
                { old: "a", new: "b" },
                { old: "b", new: broken },
              ],
            ],
          },
        ]
      : []),
  ];
  const { method, args } = dice.pick(calls);
  const what = sentenceOf({ method, args });
  return {
    method,
    args,
    touches: [path],
    changes: true,
    settle: (answer) => {
      judge(exploration, answer, { codes: ["invalid_argument"], what, rule: "W3" });
    },
  };
};

/** P2: what is no path is none for any method, and changes nothing. */
export const planRefusal: Plan = (exploration, dice) => {
  const path = brokenPath(dice, exploration.anyPath(dice));
  const { method, args } = callOf(exploration, dice, path);
  const what = sentenceOf({ method, args });
  return {
    method,
    args,
    touches: [exploration.base],
    changes: true,
    settle: (answer) => {
      const one: unknown = Array.isArray(answer) ? answer[0] : answer;
      judge(exploration, one, { codes: ["invalid_path"], what, rule: "P2" });
    },
  };
};
