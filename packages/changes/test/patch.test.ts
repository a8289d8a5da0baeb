import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { patchOf, textPatch } from "@fs/changes";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { distinctLines, edited, edits } from "./text-arbitraries.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patch-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string | null): Uint8Array | null =>
  text === null ? null : new TextEncoder().encode(text);

/** What git makes of the file with our patch. */
function applied(path: string, before: string | null, after: string | null): string | null {
  const file = join(folder, path);
  rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  if (before !== null) writeFileSync(file, before);
  const patch = patchOf({ path, before: bytes(before), after: bytes(after) });
  execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: folder, input: patch });
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

describe("git applies the patch of", () => {
  test.each([
    ["a new file", "/new.txt", null, "one\ntwo\n"],
    ["a new file that is empty", "/empty.txt", null, ""],
    ["a removed file", "/deep/gone.txt", "one\ntwo\n", null],
    ["an empty file that is removed", "/gone.txt", "", null],
    ["a file without a last line end", "/a.txt", "one\ntwo", "one\nTWO"],
    ["a file that gets its last line end", "/a.txt", "one\ntwo", "one\ntwo\n"],
    ["a file with carriage returns", "/a.txt", "one\r\ntwo\r\n", "one\r\nTWO\r\n"],
    ["a file that becomes empty", "/a.txt", "one\n", ""],
    ["a name with spaces, quotes and accents", '/a "b" \\c/dé e.txt', "one\n", "two\n"],
    ["a name with a space", "/a b.txt", "one\n", "two\n"],
    ["lines that look like a header", "/a.txt", "--- a\n+++ b\n@@ -1 +1 @@\n", "--- a\n@@\n"],
  ])("%s", (_, path, before, after) => {
    expect(applied(path, before, after)).toBe(after);
  });

  test("any edits of a text", () => {
    fc.assert(
      fc.property(distinctLines, edits, fc.boolean(), (lines, list, ends) => {
        const before = lines.join("");
        const whole = edited(lines, "new", list);
        const after = ends ? whole : whole.replace(/\n$/, "");
        fc.pre(before !== after);
        expect(applied("/file.txt", before, after)).toBe(after);
      }),
      { numRuns: 60 },
    );
  });
});

test("says of a binary file only that it differs, and nothing of one that does not", () => {
  const [a, b] = [new Uint8Array([0, 1]), new Uint8Array([0, 2])];
  expect(patchOf({ path: "/a.png", before: a, after: b })).toBe(
    "diff --git a/a.png b/a.png\nBinary files a/a.png and b/a.png differ\n",
  );
  expect(patchOf({ path: "/a.png", before: a, after: a.slice() })).toBe("");
});

test("repeats three lines around a change, and parts changes that are far from each other", () => {
  const lines = Array.from({ length: 30 }, (_, n) => `${n}\n`);
  const before = lines.join("");
  const after = before.replace("5\n", "five\n").replace("25\n", "twenty-five\n");
  const patch = patchOf({ path: "/a", before: bytes(before), after: bytes(after) });
  expect(patch.match(/^@@.*@@$/gm)).toEqual(["@@ -3,7 +3,7 @@", "@@ -23,7 +23,7 @@"]);
});

test("compares two texts under their names, and writes out whole what differs in too many lines", () => {
  const one = { name: "/a b", text: "one\ntwo\n" };
  expect(textPatch(one, { name: "/c", text: "one\n2\n" })).toBe(
    "--- /a b\t\n+++ /c\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
  );
  expect(textPatch(one, { ...one, name: "/c" })).toBe("");
  const lines = (word: string): string =>
    Array.from({ length: 20_000 }, (_, n) => `${n} ${word}\n`).join("");
  const patch = textPatch({ name: "/a", text: lines("old") }, { name: "/a", text: lines("new") });
  expect(patch).toMatch(/^--- \/a\n\+\+\+ \/a\n@@ -1,20000 \+1,20000 @@\n-0 old\n-1 old\n/);
});
