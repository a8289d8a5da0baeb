import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prefixOf } from "@fs/protocol/author";
import { isLongPath, keyAfter, keysBelow, keysStartingWith, pathKey } from "../src/path-key.js";
import { likeLiteral, namePatterns } from "../src/name-patterns.js";
import { quoteName, quoteText, tableNames } from "../src/table-names.js";

const segment = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  // oxlint-disable-next-line no-control-regex
  .map((text) => text.replace(/[\u0000-\u001f\u007f/]/g, "x"));
const longSegment = fc.constantFrom("é".repeat(127), "😀".repeat(63), "z".repeat(255));
const path = fc
  .array(fc.oneof({ weight: 3, arbitrary: segment }, longSegment), { minLength: 1, maxLength: 14 })
  .map((segments) => `/${segments.join("/")}`);

/** The order of the "C" collation: that of the bytes. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

describe("keys", () => {
  test("fit into an index, and are the path itself wherever they can", () => {
    fc.assert(
      fc.property(path, (one) => {
        const key = pathKey(one);
        expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1965);
        expect(key === one).toBe(!isLongPath(one));
        expect(key.isWellFormed()).toBe(true);
      }),
    );
  });

  test("differ for paths that differ", () => {
    fc.assert(
      fc.property(path, segment, (one, more) => {
        expect(pathKey(one)).not.toBe(pathKey(`${one}${more}`));
        expect(pathKey(one)).not.toBe(pathKey(`${one}/${more}`));
      }),
    );
  });

  test("of everything below a directory lie in its range, and tell the rest apart", () => {
    fc.assert(
      fc.property(path, path, (directory, other) => {
        for (const candidate of [`${directory}${other}`, `${directory}x`, directory, other]) {
          const range = keysBelow(directory);
          const key = pathKey(candidate);
          const inRange = compareBytes(key, range.from) >= 0 && compareBytes(key, range.to) < 0;
          const passes = range.prefix === undefined || candidate.startsWith(range.prefix);
          expect(inRange && passes).toBe(candidate.startsWith(prefixOf(directory)));
        }
      }),
    );
  });

  test("ranges end right after the last text that starts with the prefix", () => {
    expect(keysStartingWith("/a").to).toBe("/b");
    expect(keysStartingWith("/\ud7ff").to).toBe("/\ue000");
    expect(keysStartingWith("/\u{10ffff}").to).toBe("0");
    expect(compareBytes(keyAfter("/a"), "/a ")).toBeLessThan(0);
  });
});

describe("patterns for LIKE", () => {
  test.each([
    ["**/*.ts", ["%/%.ts"]],
    ["src/*.{ts,md}", ["%/%.ts", "%/%.md"]],
    ["a%_?.x", ["%/a\\%\\__.x"]],
    ["*%*", ["%/%\\%%"]],
    ["**", undefined],
    ["a/[bc].ts", undefined],
    ["{a,*}", undefined],
    ["{a", undefined],
  ])("%s", (glob, patterns) => {
    expect(namePatterns(glob)).toEqual(patterns);
  });

  test("a literal keeps its metacharacters", () => {
    expect(likeLiteral("50%_\\")).toBe("50\\%\\_\\\\");
  });
});

describe("names", () => {
  test("are quoted", () => {
    expect(quoteName('a"b')).toBe('"a""b"');
    expect(quoteText("a'b\\")).toBe("E'a''b\\\\'");
    expect(tableNames("s", 't"').table).toBe('"s"."t"""');
  });

  test("of two tables never share a channel", () => {
    expect(tableNames("a", "t").channel).not.toBe(tableNames("b", "t").channel);
  });
});
