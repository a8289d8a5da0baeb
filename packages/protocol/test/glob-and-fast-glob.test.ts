import fc from "fast-check";
import fastGlob from "fast-glob";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compileGlob } from "@fs/protocol/hooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const FILES = [
  "a b, .a, a.ts, .ts, b.ts, a.txt, ab, -, [x], {a}, *, é, e, ], ^, 1, a, b, (a), 😀, !a",
  "src/a, src/b.ts, src/.h/a.ts, src/b/c.ts, src/b/a, src/b/ab/a.md, .h/a, .h/.a, d.md/a.ts",
  "d.md/b/c/a.txt, d.md/b/c/b",
].flatMap((line) => line.split(", "));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fs-globs-"));
  for (const file of FILES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What this matcher finds, or the code of its refusal. */
function ours(pattern: string): string[] | string {
  const compiled = compileGlob(pattern);
  if (compiled.failure !== undefined) return compiled.failure.code;
  return FILES.filter((file) => compiled.glob.matches(`/${file}`)).toSorted();
}

/** What fast-glob finds. A file in the place of a directory is an error to it without `suppressErrors`. */
function theirs(pattern: string, dot = true): string[] {
  return fastGlob
    .sync(pattern, { cwd: folder, dot, extglob: false, suppressErrors: true })
    .toSorted();
}

/** Where the two are meant to differ. */
const DIFFERENCES = [
  { why: "a dotfile is an ordinary file", pattern: "*.ts", ours: ".ts, a.ts, b.ts" },
  {
    why: "a closing ** stands for one name at least",
    pattern: "[ab]/**",
    ours: "",
    theirs: "a, b",
  },
  { why: "a ? is one character, whatever UTF-16 makes of it", pattern: "[😀]", ours: "😀" },
  {
    why: "a ? stands for a directory's name too",
    pattern: "src/?/*.ts",
    ours: "src/b/c.ts",
    theirs: "",
  },
  { why: "a ! at the beginning is text", pattern: "!a", ours: "!a", theirs: "" },
  { why: "parentheses are text", pattern: "(a|b).ts", ours: "", theirs: "a.ts, b.ts" },
  { why: "dots between braces are no range", pattern: "{1..3}", ours: "", theirs: "1" },
  { why: "a ] that comes first is a member, beside braces too", pattern: "{,a}[]x]", ours: "]" },
  { why: "a [ that is not closed is refused", pattern: "[x", refused: true },
  { why: "what ends in / is no file", pattern: "src/", refused: true },
  { why: "nothing is above the root", pattern: "src/../a", refused: true },
] as const;

const PIECES = "* ? a b src .ts txt [ab] [!a] [^a] [a-d] {a,b} {ts,txt,md} é e \\* {a} ! -".split(
  " ",
);
const RARE = "1 {a,{b,src}} [.] \\{ [a\\-c] [é] x} . ** {a,}".split(" ");
const segment = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...PIECES) }, fc.constantFrom(...RARE)), {
    minLength: 1,
    maxLength: 3,
  })
  .map((pieces) => pieces.join(""))
  // Alternatives that leave nothing of a segment, and names that point elsewhere.
  .filter((text) => !/^(?:\{a,\}|\.)+$/.test(text) && !text.startsWith("!"));
const patterns = fc
  .array(fc.oneof({ weight: 2, arbitrary: segment }, fc.constantFrom("**", "*", "src", "b")), {
    minLength: 1,
    maxLength: 4,
  })
  .map((segments) => segments.join("/"))
  // A directory whose only wildcard is `?` is in the table.
  .filter((pattern) => !/(?:^|\/)[^/*[{]*\?[^/*[{]*\//.test(pattern));
const ONE_CHARACTER = /^😀$/u;

/** The patterns of a sample on which a matcher finds other files than fast-glob does, beyond what is meant. */
function disagreements(matcher: (pattern: string) => string[] | string, runs: number): string[] {
  return fc.sample(patterns, { seed: 1, numRuns: runs }).filter((pattern) => {
    const found = matcher(pattern);
    if (typeof found === "string") return true;
    // As the table says: the file itself may be found of a pattern for what is below it.
    const itself = pattern.endsWith("/**") ? matcher(pattern.replace(/(?:\/\*\*)+$/, "")) : [];
    const listed = theirs(pattern);
    const missed = found.filter((file) => !listed.includes(file));
    const beyond = listed.filter((file) => !found.includes(file) && !itself.includes(file));
    return [...missed, ...beyond].some((file) => !ONE_CHARACTER.test(file));
  });
}

describe("this matcher and fast-glob", () => {
  test("find the same files on generated patterns", () => {
    expect(disagreements(ours, 500)).toEqual([]);
  });

  test.each(DIFFERENCES)("differ in that $why: $pattern", (difference) => {
    const { pattern } = difference;
    if ("refused" in difference) expect(ours(pattern)).toBe("invalid_pattern");
    else {
      const listed = difference.ours === "" ? [] : difference.ours.split(", ");
      expect(ours(pattern)).toEqual(listed);
      const found = theirs(pattern, pattern !== "*.ts");
      if ("theirs" in difference) expect(found.join(", ")).toBe(difference.theirs);
      expect(found).not.toEqual(listed);
    }
  });

  test.each([
    ["a ? is a *", (pattern: string) => pattern.replaceAll("?", "*")],
    ["a class is not negated", (pattern: string) => pattern.replaceAll(/\[[!^]/g, "[")],
    ["a range is two members", (pattern: string) => pattern.replaceAll("a-d", "ad")],
    ["a ** is one level", (pattern: string) => pattern.replaceAll("**/", "*/")],
    ["the first alternative is the only one", (pattern: string) => pattern.replaceAll(/,\w+/g, "")],
    ["an escape is text", (pattern: string) => pattern.replaceAll("\\", "\\\\")],
    [
      "a * does not match nothing",
      (pattern: string) => pattern.replaceAll(/(?<!\*)\*(?!\*)/g, "?*"),
    ],
  ])("are found to differ when %s", (_, fault) => {
    expect(disagreements((pattern) => ours(fault(pattern)), 100)).not.toEqual([]);
  });
});
