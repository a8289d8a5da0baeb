import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mergeTexts } from "@fs/changes";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { distinctLines, edited, edits } from "./text-arbitraries.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "three-way-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What `diff3 -m -E` makes of the same texts: without `-E`, a change that both made is shown as a conflict. */
function diff3(base: string, ours: string, theirs: string): { clean: boolean; text: string } {
  for (const [name, text] of Object.entries({ base, ours, theirs }))
    writeFileSync(join(folder, name), text);
  const run = spawnSync("diff3", ["-m", "-E", "ours", "base", "theirs"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (run.status === null || run.status > 1) throw new Error(run.stderr);
  return { clean: run.status === 0, text: run.stdout };
}

test("keeps changes of different places, equal changes once, and says what overlaps", () => {
  expect(mergeTexts("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")).toEqual({
    clean: true,
    text: "A\nb\nC\n",
  });
  expect(mergeTexts("a\nb\nc\n", "a\nX\nc\n", "a\nX\nc\nd\n")).toEqual({
    clean: true,
    text: "a\nX\nc\nd\n",
  });
  expect(mergeTexts("a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n", { theirs: "on disk" })).toEqual({
    clean: false,
    conflicts: 1,
    text: "a\n<<<<<<< ours\nX\n||||||| base\nb\n=======\nY\n>>>>>>> on disk\nc\n",
  });
});

test("changes that touch are a conflict, because their order means something", () => {
  expect(mergeTexts("a\nb\n", "a\nx\nb\n", "a\ny\nb\n").clean).toBe(false);
  expect(mergeTexts("a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n").clean).toBe(false);
});

test("the end of a text without a last line end stays what it is", () => {
  expect(mergeTexts("a\nb", "A\nb", "a\nb")).toEqual({ clean: true, text: "A\nb" });
  expect(mergeTexts("a\nb\nc", "A\nb\nc", "a\nb\nc\nd")).toEqual({
    clean: true,
    text: "A\nb\nc\nd",
  });
  expect(mergeTexts("a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n")).toEqual({
    clean: true,
    text: "A\r\nb\r\nC\r\n",
  });
});

test("texts with too many different lines are one conflict, not an endless comparison", () => {
  const many = (name: string): string =>
    Array.from({ length: 2_000 }, (_, n) => `${name} ${n}\n`).join("");
  const merged = mergeTexts(many("base"), many("ours"), many("theirs"));
  expect(merged).toMatchObject({ clean: false, conflicts: 1 });
});

test("obeys the laws of a merge", () => {
  fc.assert(
    fc.property(distinctLines, edits, edits, (lines, a, b) => {
      const base = lines.join("");
      const ours = edited(lines, "ours", a);
      const theirs = edited(lines, "theirs", b);
      expect(mergeTexts(base, base, theirs)).toEqual({ clean: true, text: theirs });
      expect(mergeTexts(base, ours, base)).toEqual({ clean: true, text: ours });
      expect(mergeTexts(base, ours, ours)).toEqual({ clean: true, text: ours });
      const there = mergeTexts(base, ours, theirs);
      const back = mergeTexts(base, theirs, ours);
      expect(back.clean).toBe(there.clean);
      if (there.clean) expect(back.text).toBe(there.text);
    }),
  );
});

test("merges cleanly only what diff3 merges, and to the same text", () => {
  const removal = [{ at: 0, removed: 1, added: 0 }];
  let clean = 0;
  let conflicts = 0;
  fc.assert(
    fc.property(distinctLines, edits, edits, (lines, a, b) => {
      const base = lines.join("");
      const ours = edited(lines, "ours", a);
      const theirs = edited(lines, "theirs", b);
      const merged = mergeTexts(base, ours, theirs);
      const expected = diff3(base, ours, theirs);
      if (!merged.clean) return void conflicts++;
      clean++;
      expect({ clean: true, text: merged.text }).toEqual(expected);
    }),
    { numRuns: 60, examples: [[["line 0\n"], removal, removal]] },
  );
  expect(clean).toBeGreaterThan(10);
  expect(conflicts).toBeGreaterThan(5);
});

test("sides of more lines than a function takes as arguments are merged", () => {
  const lines = Array.from({ length: 200_000 }, (_, n) => `line ${n}\n`);
  const base = lines.join("");
  const [first = "", last = ""] = [lines[0], lines.at(-1)];
  const ours = base.replace(first, "first of ours\n");
  const theirs = base.replace(last, "last of theirs\n");
  expect(mergeTexts(base, ours, theirs)).toEqual({
    clean: true,
    text: ours.replace(last, "last of theirs\n"),
  });
});
