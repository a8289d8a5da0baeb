import type { CaseContext } from "../../engine/case-context.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

/** Characters of the texts that are looked for where what was there meets what has come: no index is of longer ones. */
const LENGTHS = [2, 3, 4, 6];

/** An edit of a text whose every part of a few characters comes once, and whether it is made by `multiEdit`. */
interface Change {
  readonly name: string;
  readonly before: string;
  readonly edits: ReadonlyArray<{ readonly old: string; readonly new: string }>;
}

const TEXT = "The quick brown fox\njumps over a lazy dog\nwhile my cat sleeps\n";

const CHANGES: readonly Change[] = [
  { name: "replaced", edits: [{ old: "brown", new: "GREY" }], before: TEXT },
  { name: "removed", edits: [{ old: "over a ", new: "" }], before: TEXT },
  { name: "put between", edits: [{ old: "lazy", new: "laQQzy" }], before: TEXT },
  { name: "one character", edits: [{ old: "umps", new: "umpZ" }], before: TEXT },
  { name: "at the beginning", edits: [{ old: "The", new: "X" }], before: TEXT },
  { name: "at the end", edits: [{ old: "sleeps\n", new: "sleeVV" }], before: TEXT },
  { name: "lines joined", edits: [{ old: "fox\njumps", new: "foxjumps" }], before: TEXT },
  { name: "a line parted", edits: [{ old: "lazy dog", new: "lazy\ndog" }], before: TEXT },
  {
    name: "beside each other",
    edits: [
      { old: "quick", new: "Wet" },
      { old: " brown", new: "KK" },
    ],
    before: TEXT,
  },
];

/** The parts of a text, a few characters long, that lie across a place in it and within a line. */
function partsAcross(text: string, at: number): string[] {
  return LENGTHS.flatMap((length) =>
    range(length - 1).map((n) => text.slice(at - n - 1, at - n - 1 + length)),
  ).filter((part) => part.length > 1 && !part.includes("\n"));
}

/** The places of a text where what was there meets what an edit has brought, and the text after it. */
function afterEdits({ before, edits }: Change): { text: string; seams: number[] } {
  let text = before;
  let seams: number[] = [];
  for (const { old, new: to } of edits) {
    const at = text.indexOf(old);
    text = text.replace(old, () => to);
    // Those of an earlier edit that lie behind have moved along.
    seams = seams.map((seam) => (seam > at ? seam + to.length - old.length : seam));
    seams.push(at, at + to.length);
  }
  return { text, seams: seams.filter((seam) => seam > 0 && seam < text.length) };
}

/** S1: what an edit has joined is found, as what it has brought is, and what it has parted is not. */
async function foundAcross(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  for (const [n, change] of CHANGES.entries()) {
    if (change.edits.length > 1 && !profile.multiEdit) continue;
    context.transcript.clear();
    const path = `/${n}.txt`;
    await context.given({ [path]: change.before });
    // What an index holds, it has taken in now.
    await backend.grep("quick", path);
    const [first = { old: "", new: "" }] = change.edits;
    const answer =
      change.edits.length > 1
        ? await backend.multiEdit(path, [...change.edits])
        : await backend.edit(path, first.old, first.new);
    check.succeeded(answer, `the edit '${change.name}'`, "E1");
    const { text, seams } = afterEdits(change);
    const joined = seams.flatMap((seam) => partsAcross(text, seam));
    const parted = change.edits.map(({ old }) => old).filter((old) => !old.includes("\n"));
    for (const part of new Set([...joined, ...parted])) {
      const lines = text.split("\n").flatMap((line, at) => (line.includes(part) ? [at + 1] : []));
      const { matches } = await backend.grep(part, path);
      const what = `The lines with ${JSON.stringify(part)} after an edit, ${change.name}`;
      check.equal(
        matches?.map(({ line }) => line),
        lines,
        what,
        "S1",
      );
    }
  }
}

/** Searches across the ends of what an edit has put in. */
export const editSeamCases: readonly Case[] = [
  {
    id: "edit/found-across-its-ends",
    rules: ["S1", "A7", "E1"],
    level: "core",
    needs: [],
    why: "A text is found that lies partly in what an edit has put in and partly in what was there before.",
    hint: "An index takes in the file as the edit leaves it: its new text alone is not all that has come.",
    run: foundAcross,
  },
];
