import { hasFeature } from "../cases/code/feature.js";
import { linesOf } from "../model/text-rules.js";
import { textOf } from "../eyes/tree.js";
import { literalPattern } from "../twins/literal-pattern.js";
import type { Dice } from "./dice.js";
import { nameOf, type Exploration } from "./exploration.js";
import type { PlannedCall } from "./planned-call.js";

/** A way to look, to be asked again and again, of files wherever they are. */
export interface Look {
  readonly method: string;
  /** The arguments, for files below a directory. */
  readonly args: (base: string) => readonly unknown[];
}

/** Looks of each kind that one change is looked at with. */
const OF_EACH = { files: 16, listings: 14, searches: 16 };

/** Characters of a text that is searched for, at most. */
const LONGEST = 24;

/** Looks at what a call is about: at the files, at the directories above them, and for the texts that come and go. */
export function looksAbout(exploration: Exploration, dice: Dice, call: PlannedCall): Look[] {
  const { base, model } = exploration;
  const about = call.touches.flatMap((path) => {
    const below = model.below(path);
    return below.length === 0 ? [path] : [path, dice.pick(below), below.at(-1) ?? path];
  });
  const beside = exploration.file(dice);
  const paths = [...about, ...(beside === undefined ? [] : [beside])]
    .filter((path) => path.startsWith(`${base}/`))
    .map((path) => path.slice(base.length));
  if (paths.length === 0) return [];
  const texts = [...textsIn(call.args), ...paths.map((path) => textBelow(exploration, path))];
  return [
    ...some(dice, OF_EACH.files, () => fileLook(exploration, dice, paths)),
    ...some(dice, OF_EACH.listings, () => listingLook(exploration, dice, paths)),
    ...some(dice, OF_EACH.searches, () => searchLook(exploration, dice, paths, texts)),
  ];
}

function some(dice: Dice, count: number, make: () => Look): Look[] {
  return Array.from({ length: 1 + dice.below(count) }, make);
}

function textBelow({ base, model }: Exploration, path: string): string {
  const bytes = model.files.get(base + path);
  return (bytes && textOf(path, bytes)) ?? "";
}

/** The texts in the arguments of a call that are no paths: what it looks for, and what it stores. */
function textsIn(args: readonly unknown[]): string[] {
  return args.flatMap((value): string[] => {
    if (typeof value === "string") return value.startsWith("/") ? [] : [value];
    if (value instanceof Uint8Array) return [Buffer.from(value.slice(0, 2000)).toString("latin1")];
    if (Array.isArray(value)) return textsIn(value.slice(0, 4));
    return typeof value === "object" && value !== null ? textsIn(Object.values(value)) : [];
  });
}

/** A look at a file by itself: its pages, its bytes, what it is, alone or among others. */
function fileLook(exploration: Exploration, dice: Dice, paths: readonly string[]): Look {
  const { context } = exploration;
  const [path, other] = [dice.pick(paths), dice.pick(paths)];
  const lines = linesOf(textBelow(exploration, path)).length;
  const [offset, limit] = [
    dice.pick([undefined, 0, 1, 2, Math.max(0, lines - 1), lines]),
    dice.pick([undefined, 1, 2, 3, lines, lines + 1, 2000]),
  ];
  const looks: Look[] = [
    { method: "read", args: (base) => [base + path] },
    { method: "read", args: (base) => [base + path, offset, limit] },
    { method: "read", args: (base) => [base + path, offset] },
    { method: "readRaw", args: (base) => [base + path] },
  ];
  if (context.backend.has("stat")) looks.push({ method: "stat", args: (base) => [base + path] });
  const batch = dice.once(2) ? [path] : [path, other, path];
  if (context.profile.transfer)
    looks.push({ method: "downloadFiles", args: (base) => [batch.map((file) => base + file)] });
  return dice.pick(looks);
}

/** A directory above a path, with a name of the directory or file that is next on the way down to it. */
function above(dice: Dice, path: string): { directory: string; rest: string } {
  const names = path.split("/").slice(1);
  const depth = dice.below(names.length);
  const directory = names
    .slice(0, depth)
    .map((name) => `/${name}`)
    .join("");
  return { directory, rest: names.slice(depth).join("/") };
}

/** A look at a directory: whole, in part, or by a pattern. */
function listingLook(exploration: Exploration, dice: Dice, paths: readonly string[]): Look {
  const { directory, rest } = above(dice, dice.pick(paths));
  const { directory: after } = above(dice, dice.pick(paths));
  const paged = hasFeature(exploration.context, "pages") && dice.once(2);
  const limit = dice.pick([undefined, 1, 2, 3, 10]);
  const from = dice.pick([undefined, `${directory}/${rest}`, after, `${directory}/m`]);
  const options = (base: string): object[] =>
    paged ? [{ ...(limit && { limit }), ...(from && { after: base + from }) }] : [];
  if (dice.once(3)) {
    const end = dice.once(3) ? "/" : "";
    return { method: "ls", args: (base) => [base + directory + end, ...options(base)] };
  }
  const pattern = patternFor(dice, rest);
  return dice.once(5)
    ? { method: "glob", args: (base) => [`${base}/**`, "/", ...options(base)] }
    : { method: "glob", args: (base) => [pattern, base + directory, ...options(base)] };
}

/** A pattern that finds a path, by any way of writing it. */
function patternFor(dice: Dice, rest: string): string {
  const name = nameOf(`/${rest}`);
  const dot = name.lastIndexOf(".");
  const [first = "a"] = Array.from(name);
  const literal = literalPattern(Array.from(name));
  return dice.pick([
    "**",
    "*",
    "*/*",
    "**/*.*",
    `**/${literal}`,
    `**/{none,${literal}}`,
    `**/*${dot > 0 ? literalPattern(Array.from(name.slice(dot))) : ""}`,
    `**/${literalPattern([first])}*`,
    rest
      .split("/")
      .map((part) => literalPattern(Array.from(part)))
      .join("/"),
  ]);
}

/** A search in every extent and with any of its options. */
function searchLook(
  { context }: Exploration,
  dice: Dice,
  paths: readonly string[],
  texts: readonly string[],
): Look {
  const path = dice.pick(paths);
  const { directory, rest } = above(dice, path);
  const where = dice.once(4) ? path : directory;
  const pattern = needleIn(dice, dice.pick(texts));
  const filter = dice.once(2) ? patternFor(dice, rest) : null;
  const most = dice.pick([null, null, null, 1, 2, 5]);
  const isWord = /^[a-z0-9 ]*$/i.test(pattern);
  const options = {
    ...(dice.once(3) && { ignoreCase: true }),
    ...(dice.once(4) && { before: 1 + dice.below(2) }),
    ...(dice.once(4) && { after: 1 + dice.below(2) }),
    ...(context.profile.regex && isWord && dice.once(4) && { regex: true }),
  };
  return { method: "grep", args: (base) => [pattern, base + where, filter, most, options] };
}

function needleIn(dice: Dice, text: string): string {
  const lines = linesOf(text).map((line) => line.replaceAll(/[\r\n\0]/g, ""));
  const line = lines.length === 0 ? "a" : dice.pick(lines);
  const characters = Array.from(line);
  const from = dice.once(2) ? 0 : dice.below(characters.length + 1);
  const needle = characters.slice(from, from + 1 + dice.below(LONGEST)).join("");
  return needle === "" || !needle.isWellFormed() ? "a" : needle;
}
