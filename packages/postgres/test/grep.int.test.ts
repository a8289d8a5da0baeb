import { randomUUID } from "node:crypto";
import { describeWithServer } from "@fs/test-servers/vitest";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Fixture } from "./test-backends.js";

// Few of each, so that patterns hit: metacharacters of LIKE, of regular expressions and of SQL, characters whose case
// folds into ASCII, astral ones beside those that sort otherwise in UTF-16, and line ends of every kind.
const PIECES = [
  ...Array.from("aAbBkKiI%_\\'\"$^.*(|[ \t"),
  "\r",
  "\n",
  "\r\n",
  "abc",
  "KIL",
  "\u212ail",
  "k\u0130l",
  "ABC",
  "\u212a",
  "\u0130",
  "\u0307",
  "\u00e4",
  "\u00c4",
  "\u03a3",
  "\u03c2",
  "\u2028",
  "\ufeff",
  "\u{1f600}",
];
const NAMES = [
  "a",
  "b.ts",
  "b%.ts",
  "_.md",
  "'x",
  "\u{1f600}",
  "\uff21",
  "\ue000.ts",
  "p.png",
  "ab\\c",
  "[z]",
];

/** Patterns that a careless translation gets wrong, often enough to meet the text they go wrong on. */
const TRICKY = [
  "i",
  "k",
  "I",
  "K",
  "%",
  "_",
  "\\",
  "'",
  "a_",
  "%b",
  "\\%",
  "abc",
  "aBC",
  "\u00e4",
  "\u03c3",
  "i\u0307",
];

const piece = fc.constantFrom(...PIECES);
const content = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""));
const pattern = fc.oneof(
  fc.constantFrom(...TRICKY),
  fc
    .array(
      piece.filter((part) => !/[\r\n]/.test(part)),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) => parts.join("")),
);
const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((names) => `/${names.join("/")}`);
const tree = fc.array(fc.tuple(path, content), { minLength: 1, maxLength: 12 });
const question = fc.record({
  pattern,
  root: fc.oneof({ weight: 3, arbitrary: fc.constant("/") }, path),
  glob: fc.constantFrom(
    null,
    null,
    null,
    "*.ts",
    "**/b*",
    "/a/**",
    "{a,_}/*",
    "[b_]*",
    "?.md",
    "*%*",
  ),
  maxCount: fc.constantFrom(null, null, null, null, 0, 1, 2, 5),
  options: fc.constantFrom({}, { ignoreCase: true }, { regex: false, before: 1, after: 1 }),
});

describeWithServer("postgres", "grep on the server", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await Fixture.start();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  /** How many matches both searches gave. */
  async function comparedMatches(table: string): Promise<number> {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.array(question, { minLength: 5, maxLength: 8 }),
        async (files, questions) => {
          const backend = fixture.backend({ namespace: randomUUID(), table });
          await backend.uploadFiles(files.map(([name, text]) => [name, Buffer.from(text)]));
          const generic = backend.withoutHooks();
          for (const { pattern: wanted, root, glob, maxCount, options } of questions) {
            const pushed = await backend.grep(wanted, root, glob, maxCount, options);
            expect(pushed).toEqual(await generic.grep(wanted, root, glob, maxCount, options));
            compared += pushed.matches?.length ?? 0;
          }
        },
      ),
      { numRuns: 100 },
    );
    return compared;
  }

  test("answers as the generic search does, whatever the text and the pattern", async () => {
    expect(await comparedMatches("fs_files")).toBeGreaterThan(30);
  });

  test("answers as the generic search does with the trigram index", async () => {
    await fixture.backend({ table: "indexed" }).setup({ trigram: true });
    expect(await comparedMatches("indexed")).toBeGreaterThan(30);
  });

  test("no character but two folds into ASCII", () => {
    const folding: number[] = [];
    for (let point = 0x80; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point < 0xe000) continue;
      // oxlint-disable-next-line no-control-regex
      if (/[\u0000-\u007f]/.test(String.fromCodePoint(point).toLowerCase())) folding.push(point);
    }
    expect(folding).toEqual([0x130, 0x212a]);
  });

  test("finds the first matches in UTF-16 order although the server sorts by code point", async () => {
    const backend = fixture.backend();
    const names = ["/\uff21", "/\u{1f600}", "/\ue000", "/z"];
    for (const name of names) await backend.write(name, "hit\n");
    const { matches, truncated } = await backend.grep("hit", "/", null, 2);
    expect(matches?.map((match) => match.path)).toEqual(["/z", "/\u{1f600}"]);
    expect(truncated).toBe(true);
  });

  test("searches by regular expression across statements of limited size", async () => {
    const backend = fixture.backend();
    const filler = `${"x".repeat(1023)}\n`.repeat(3 * 1024);
    await backend.uploadFiles(
      Array.from({ length: 8 }, (_, n) => [`/f${n}`, Buffer.from(`${filler}needle ${n}\n`)]),
    );
    const { matches } = await backend.grep("needle \\d", "/", null, null, { regex: true });
    expect(matches?.map(({ path: at, line }) => [at, line])).toEqual(
      Array.from({ length: 8 }, (_, n) => [`/f${n}`, 3073]),
    );
  });
});
