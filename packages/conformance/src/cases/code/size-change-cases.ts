import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { Case } from "../case.js";
import { sizesWithin } from "./sizes-within.js";

const encoder = new TextEncoder();
/** Bytes of one file in turn: within a row and outside of it, in one part and in several, and nothing in between. */
const SIZES = [9000, 10, 140_000, 0, 70_000, 2_200_000, 40];

type Replace = (path: string, text: string, old: string) => Promise<Answered>;

/** Ways to replace the content of a file by another one. */
function waysOf({ backend, profile }: CaseContext): Array<readonly [name: string, way: Replace]> {
  const ways: Array<readonly [name: string, way: Replace]> = [
    ["edit", (path, text, old) => backend.edit(path, old, text)],
  ];
  const stored = async (path: string, text: string): Promise<Answered> =>
    (await backend.uploadFiles([[path, encoder.encode(text)]]))[0] ?? {};
  if (!profile.transfer) return ways;
  ways.push(["uploadFiles", stored]);
  for (const kind of ["copy", "move"] as const)
    if (profile[kind])
      ways.push([
        kind,
        async (path, text) => {
          const source = `/source-of${path}`;
          const uploaded = await stored(source, text);
          return hasFailed(uploaded) ? uploaded : backend[kind](source, path, { overwrite: true });
        },
      ]);
  return ways;
}

/** So many bytes, with one word in the first and, where there is room, in the last line. */
function textOf(n: number, size: number): string {
  if (size === 0) return "";
  const word = `word${n}`;
  const between = size - 2 * (word.length + 1);
  return between > 0
    ? `${word}\n${"-".repeat(between - 1)}\n${word}\n`
    : `${word.padEnd(size - 1, "-")}\n`;
}

/** A7, S1: of a content that was replaced nothing is left, whatever the sizes of the two. */
async function acrossSizes(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const sizes = sizesWithin(context, SIZES);
  for (const [name, replace] of waysOf(context)) {
    const directory = `/${name}`;
    const path = `${directory}/a.txt`;
    let old = textOf(0, 40);
    await context.given({ [path]: old });
    for (const [n, size] of sizes.entries()) {
      context.transcript.clear();
      const text = textOf(n + 1, size);
      const what = `${name} of ${size} bytes over ${old.length}`;
      check.succeeded(await replace(path, text, old), what, "A7");
      const { matches } = await backend.grep("word", directory);
      check.equal(
        matches?.map((match) => match.text),
        text.split("\n").filter((line) => line.startsWith("word")),
        `What grep finds after ${what}`,
        "S1",
      );
      const [listed] = (await backend.ls(directory)).files ?? [];
      check.equal(listed?.size, size, `The listed size after ${what}`, "L2");
      const { data } = await backend.readRaw(path);
      check.equal(data?.content, text, `What readRaw gives after ${what}`, "R9");
      old = text;
    }
    if (!profile.delete) continue;
    check.succeeded(await backend.delete(path), `delete after ${name}`, "D1");
    const { code } = await backend.readRaw(path);
    if (profile.codes) check.equal(code, "not_found", "The code of readRaw once it is gone", "D1");
    const { files = [] } = await backend.glob("**", directory);
    check.equal(files, [], "What is left after the delete", "D1");
  }
}

/** Files that become larger and smaller. */
export const sizeChangeCases: readonly Case[] = [
  {
    id: "growth/across-sizes",
    rules: ["A7", "S1", "L2", "R9", "D1"],
    level: "core",
    needs: [],
    patience: 3,
    why: "After every change of a file from a small content to a large one and back, searches, listings and reads show the new content alone.",
    hint: "What keeps small contents elsewhere than large ones removes the one when it stores the other.",
    run: acrossSizes,
  },
];
