import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileFilter, compileGlob, type PathGlob } from "@fs/protocol/hooks";

function glob(pattern: string, base?: string): PathGlob {
  const compiled = compileGlob(pattern, base);
  if (compiled.failure !== undefined) throw new Error(compiled.failure.error);
  return compiled.glob;
}

describe("matching", () => {
  test.each([
    ["*.py", "/", ["/a.py", "/.py"], ["/sub/b.py", "/a.pyc"]],
    ["**/*.py", "/", ["/a.py", "/sub/b.py", "/a/b/.c.py"], ["/a.txt"]],
    ["/src/*.ts", "/", ["/src/a.ts"], ["/a.ts", "/src/x/a.ts"]],
    ["src/**", "/", ["/src/a", "/src/a/b"], ["/src", "/srcx/a"]],
    ["a/**/b", "/", ["/a/b", "/a/x/b", "/a/x/y/b"], ["/a/bx", "/b"]],
    ["a**b", "/", ["/ab", "/axxb"], ["/a/b"]],
    ["?.t", "/", ["/a.t", "/😀.t"], ["/ab.t", "/.t"]],
    ["[a-c]x", "/", ["/ax", "/cx"], ["/dx"]],
    ["[!a-c]x", "/", ["/dx"], ["/ax"]],
    ["[^a]x", "/", ["/bx"], ["/ax"]],
    ["[]x]", "/", ["/]", "/x"], ["/y"]],
    ["[a\\-c]", "/", ["/-", "/a"], ["/b"]],
    ["{a,b/c}.ts", "/", ["/a.ts", "/b/c.ts"], ["/b.ts"]],
    ["{a,{b,c}}", "/", ["/a", "/b", "/c"], ["/d"]],
    ["{a}", "/", ["/{a}"], ["/a"]],
    ["[{,}]", "/", ["/{", "/,", "/}"], ["/a"]],
    ["\\*", "/", ["/*"], ["/a"]],
    ["a\\{b,c\\}", "/", ["/a{b,c}"], ["/ab"]],
    ["./a", "/", ["/a"], ["/x/a"]],
    ["*", "/src", ["/src/a"], ["/a", "/src/a/b"]],
    ["/**/*.md", "/src", ["/src/a.md", "/src/x/a.md"], ["/a.md"]],
    ["[...slug].tsx", "/", ["/s.tsx"], ["/[...slug].tsx"]],
    ["\\[...slug].tsx", "/", ["/[...slug].tsx"], ["/s.tsx"]],
    ["(a|b)+", "/", ["/(a|b)+"], ["/a", "/aa"]],
  ])("%s in %s", (pattern, base, yes, no) => {
    const compiled = glob(pattern, base);
    expect(yes.filter((path) => !compiled.matches(path))).toEqual([]);
    expect(no.filter((path) => compiled.matches(path))).toEqual([]);
  });

  test("a filter without a slash matches the name at any depth, with one it is relative", () => {
    const filter = (pattern: string, path: string): boolean => {
      const compiled = compileFilter(pattern, "/src");
      return compiled.failure === undefined && compiled.glob.matches(path);
    };
    expect(filter("*.ts", "/src/a/b.ts")).toBe(true);
    expect(filter("a/*.ts", "/src/a/b.ts")).toBe(true);
    expect(filter("./*.ts", "/src/a/b.ts")).toBe(false);
    expect(filter("/src/*/b.ts", "/src/a/b.ts")).toBe(true);
    expect(filter("/*.ts", "/src/b.ts")).toBe(false);
  });
});

test.each([
  "",
  "../x",
  "a/../b",
  "{a",
  "{a,{b}",
  "[a",
  "a/",
  "x".repeat(1025),
  "{a,b}".repeat(9),
  "a\nb",
  "\ud800",
  "\\.\\./x",
  7,
  null,
])("%j is invalid_pattern", (pattern) => {
  expect(compileGlob(pattern).failure).toMatchObject({ code: "invalid_pattern" });
});

test("what a walk may leave out", () => {
  const compiled = glob("src/*/test/**/*.ts");
  expect(compiled.root).toBe("/src");
  expect(compiled.prefix).toBe("/src/");
  expect(compiled.depth).toBe(Infinity);
  expect(compiled.mayMatchBelow("/src/a")).toBe(true);
  expect(compiled.mayMatchBelow("/src/a/lib")).toBe(false);
  expect(compiled.mayMatchBelow("/src/a/test/deep/er")).toBe(true);
  expect(glob("src/comp*.ts")).toMatchObject({ root: "/src", prefix: "/src/comp", depth: 1 });
  expect(glob("/**/foo", "/src")).toMatchObject({ root: "/src", prefix: "/src/" });
  expect(glob("/lib/*", "/src")).toMatchObject({ root: "/src", prefix: "/src/" });
  expect(glob("{src/a,src/b}/x")).toMatchObject({ root: "/src", prefix: "/src/" });
});

test("a prefix ends between characters, also where two share their first half", () => {
  expect(glob("{\u{1f600},\u{1f601}}").prefix).toBe("/");
  expect(glob("src/a{\u{1f600}*,\u{1f601}}").prefix).toBe("/src/a");
  expect(glob("{a\u{1f600}b,a\u{1f600}c}").prefix).toBe("/a\u{1f600}");
});

test("names for storages that filter by name", () => {
  expect(glob("**/*.ts").names).toEqual(["*.ts"]);
  expect(glob("src/{a,b?}[0-9].ts").names).toEqual(["a*.ts", "b*.ts"]);
  expect(glob("src/**").names).toBeUndefined();
  expect(glob("{*.ts,*}").names).toBeUndefined();
  expect(glob("a\\*b").names).toEqual(["a*b"]);
});

test("what is left of a pattern below a directory", () => {
  expect(glob("memories/**/*.md").below("/memories")).toEqual(["**/*.md"]);
  expect(glob("**/*.md").below("/memories")).toEqual(["**/*.md"]);
  expect(glob("*/x.md").below("/memories")).toEqual(["x.md"]);
  expect(glob("**/m/x").below("/m")).toEqual(["**/m/x", "x"]);
  expect(glob("other/*").below("/memories")).toEqual([]);
  expect(glob("memories").below("/memories")).toEqual([]);
});

test("a hostile pattern costs no more than its length times the path's", () => {
  const path = `/${"a".repeat(200)}`;
  const steps = `${"**/".repeat(100)}${"*a".repeat(100)}b`;
  expect(glob(steps).matches(path)).toBe(false);
  expect(glob("*".repeat(1000)).matches(path)).toBe(true);
  expect(glob(`${"**/a/".repeat(150)}b`).matches(`/${"a/".repeat(1000)}c`)).toBe(false);
});

const name = fc.string({
  unit: fc.constantFrom("a", "b", ".", "*", "[", "{", "\\", "é"),
  minLength: 1,
  maxLength: 6,
});
const escaped = (text: string): string => text.replace(/[*?[\]{}\\,]/g, "\\$&");

test("an escaped path matches exactly itself", () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      fc.pre(names.every((n) => n !== "." && n !== ".."));
      const path = `/${names.join("/")}`;
      const compiled = glob(`/${names.map(escaped).join("/")}`);
      expect(compiled.matches(path)).toBe(true);
      expect(compiled.matches(`${path}x`)).toBe(false);
    }),
  );
});

test("whatever matches lies in the root, has the prefix, and is not ruled out on the way", () => {
  const piece = fc.constantFrom("*", "**", "a", "b*", "?", "[ab]", "{a,b}", "*.ts", "{a/b,**}");
  const part = fc.constantFrom("a", "b", "ab", "x.ts");
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      fc.array(part, { minLength: 1, maxLength: 5 }),
      (pieces, parts) => {
        const compiled = glob(pieces.join("/"));
        const path = `/${parts.join("/")}`;
        if (!compiled.matches(path)) return;
        expect(path.startsWith(compiled.prefix)).toBe(true);
        expect(parts.length - compiled.root.split("/").filter(Boolean).length).toBeLessThanOrEqual(
          compiled.depth,
        );
        for (let n = 1; n < parts.length; n++) {
          const directory = `/${parts.slice(0, n).join("/")}`;
          expect(compiled.mayMatchBelow(directory)).toBe(true);
          const rest = parts.slice(n).join("/");
          expect(compiled.below(directory).some((below) => glob(below).matches(`/${rest}`))).toBe(
            true,
          );
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test("the alternatives of a pattern are bounded together, so that no pattern holds up the process", () => {
  const long = `{${Array.from({ length: 100 }, (_, n) => n).join(",")}}${"*a".repeat(300)}`;
  expect(compileGlob(long).failure?.code).toBe("invalid_pattern");
  expect(compileGlob(`{a,b}${"*a".repeat(300)}`).failure).toBeUndefined();
});

test.each([
  ["\\\u{1f600}?.md", "/\u{1f600}x.md"],
  ["\u{1f600}?.md", "/\u{1f600}x.md"],
  ["?x.md", "/\u{1f600}x.md"],
  ["[\u{1f600}]x.md", "/\u{1f600}x.md"],
])("a character of two units is one, escaped or not: %s", (pattern, path) => {
  expect(glob(pattern).matches(path)).toBe(true);
});

test("a backslash at the end is itself", () => {
  expect(glob("a\\").matches("/a\\")).toBe(true);
});
