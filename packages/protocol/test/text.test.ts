import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryBackend } from "@fs/protocol";
import {
  applyEdits,
  binaryTypeOf,
  classify,
  mediaTypeOf,
  compileLinePattern,
  searchLines,
  textTypeOf,
} from "@fs/protocol/hooks";
import { replacementOf } from "../src/text/edit.js";
import { encodeText } from "@fs/protocol/author";
import { countLines, pageOf } from "../src/text/page.js";

const replacement = (
  old: string,
  next: string,
  replaceAll = false,
): { old: string; new: string; replaceAll: boolean } => ({
  old,
  new: next,
  replaceAll,
});

describe("pages", () => {
  test("concatenate to the text, whatever their size", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "é", "\r") });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4 }), (content, limit) => {
        let joined = "";
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const page = pageOf(content, offset, limit);
          joined += page?.content ?? "";
          offset = page?.nextOffset;
        }
        expect(joined).toBe(content);
        expect(countLines(content)).toBe(
          content === "" ? 0 : content.split("\n").length - (content.endsWith("\n") ? 1 : 0),
        );
      }),
    );
  });

  test("past the end there is none", () => {
    expect(pageOf("a\nb\n", 2, 1)).toBeUndefined();
    expect(pageOf("", 0, 1)).toEqual({ content: "", totalLines: 0 });
    expect(pageOf("", 1, 1)).toBeUndefined();
    expect(pageOf("a\nb", 1, 9)).toEqual({ content: "b", totalLines: 2, startLine: 2, endLine: 2 });
    expect(pageOf("a\nb", 0, 0)).toEqual({ content: "", totalLines: 2, nextOffset: 0 });
  });
});

describe("edits", () => {
  test.each([
    ["aaa", "aa", "b", true, "ba", 1],
    ["aXbXc", "X", "$&$1$$", true, "a$&$1$$b$&$1$$c", 2],
    ["aXb", "X", "$&", false, "a$&b", 1],
    ["ab", "b", "bb", true, "abb", 1],
    ["one\r\ntwo\r\n", "one\ntwo", "1\n2", false, "1\r\n2\r\n", 1],
    ["a\r\nb\na\r\nb\r\n", "a\nb\n", "x\n", true, "x\r\nx\r\n", 2],
    ["a\nb\r\nc", "b\nc", "z\ny", false, "a\nz\r\ny", 1],
    ["", "", "filled", false, "filled", 1],
    ["\ufeffx", "\ufeffx", "y", false, "y", 1],
  ])("%j: %j to %j", (text, old, next, all, result, occurrences) => {
    expect(applyEdits(text, [replacement(old, next, all)])).toEqual({ text: result, occurrences });
  });

  test("an exact match is never touched by line-end folding", () => {
    expect(applyEdits("a\nb a\r\nb", [replacement("a\nb", "x")])).toMatchObject({
      text: "x a\r\nb",
      occurrences: 1,
    });
  });

  test("refusals say where", () => {
    expect(applyEdits("a\nb\na", [replacement("a", "x")]).refusal).toEqual({
      code: "not_unique",
      index: 0,
      occurrences: 2,
      lines: [1, 3],
    });
    expect(applyEdits("abc", [replacement("a", "x"), replacement("q", "x")]).refusal).toEqual({
      code: "no_match",
      index: 1,
    });
    expect(applyEdits("abc", [replacement("", "x")]).refusal).toEqual({
      code: "invalid_argument",
      index: 0,
    });
  });

  test("replaceAll agrees with the platform's on literal text", () => {
    const alphabet = fc.string({ unit: fc.constantFrom("a", "b", "$", "&", "\n"), maxLength: 30 });
    fc.assert(
      fc.property(
        alphabet,
        fc.string({ unit: fc.constantFrom("a", "b", "$"), minLength: 1, maxLength: 3 }),
        alphabet,
        (text, old, next) => {
          const outcome = applyEdits(text, [replacement(old, next, true)]);
          const expected = text.replaceAll(old, () => next);
          if (outcome.refusal === undefined) expect(outcome.text).toBe(expected);
          else expect(text).not.toContain(old);
        },
      ),
    );
  });

  test("hints help to write the next edit", async () => {
    const files = new MemoryBackend();
    await files.write("/a.ts", "export function add(a: number, b: number) {\n  return a + b;\n}\n");
    const missed = await files.edit("/a.ts", "export function add(a, b: number) {", "x");
    expect(missed.error).toContain("1: export function add(a: number, b: number) {");
    expect((await files.edit("/a.ts", "return a + b;\n\n", "x")).error).toContain("white space");
    expect((await files.edit("/a.ts", "zzzzqqqq", "x")).error).toContain("No line resembles it");
  });
});

describe("text or binary", () => {
  test.each([
    ["/a.ts", "text", "text/plain"],
    ["/a.mts", "text", "text/plain"],
    ["/a.rs", "text", "text/plain"],
    ["/a.md", "text", "text/markdown"],
    ["/a.json", "text", "application/json"],
    ["/a.html", "text", "text/html"],
    ["/a.svg", "text", "image/svg+xml"],
    ["/Dockerfile", "text", "text/plain"],
    ["/.env", "text", "text/plain"],
    ["/a.png", "binary", "image/png"],
    ["/A.PNG", "binary", "image/png"],
    ["/a.pdf", "binary", "application/pdf"],
    ["/a.mov", "binary", "video/quicktime"],
    ["/a.aiff", "binary", "audio/aiff"],
  ])("%s with text is %s, %s", (path, kind, mimeType) => {
    expect(classify(path, encodeText("plain text"))).toMatchObject({ kind, mimeType });
  });

  test("NUL and invalid UTF-8 make any file binary", () => {
    expect(classify("/a.txt", new Uint8Array([97, 0]))).toEqual({
      kind: "binary",
      mimeType: "application/octet-stream",
    });
    expect(classify("/a.ts", new Uint8Array([0xff, 0xfe]))).toEqual({
      kind: "binary",
      mimeType: "application/octet-stream",
    });
    expect(classify("/a.zip", new Uint8Array([80, 75, 0]))).toEqual({
      kind: "binary",
      mimeType: "application/zip",
    });
    expect(classify("/a.bin", new Uint8Array())).toMatchObject({ kind: "text", text: "" });
  });

  test("a hostile extension is no key", () => {
    expect(mediaTypeOf("/a.__proto__")).toBeUndefined();
    expect(textTypeOf("/a.constructor")).toBe("text/plain");
    expect(binaryTypeOf("/a.toString")).toBe("application/octet-stream");
  });
});

describe("search", () => {
  test("finds each matching line once, as a naive search does", async () => {
    const unit = fc.constantFrom("a", "b", "\n", "\r\n", ".", "*");
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit }),
        fc.constantFrom("a", "ab", ".", "*", "a."),
        async (text, needle) => {
          const { pattern } = await literal(needle);
          const expected = (text.endsWith("\n") ? text.slice(0, -1) : text)
            .split("\n")
            .map((line, index) => ({ line: index + 1, text: line.replace(/\r$/, "") }))
            .filter(({ text: line }) => line.includes(needle));
          expect(searchLines(text, pattern)).toEqual(expected);
          expect(searchLines(text, pattern, 1)).toEqual(expected.slice(0, 1));
        },
      ),
    );
  });

  test("options", async () => {
    const files = new MemoryBackend();
    await files.write("/a.txt", "One\ntwo\nTHREE\nfour\n");
    expect(
      await files.grep("three", "/", null, null, { ignoreCase: true, before: 1, after: 9 }),
    ).toEqual({
      matches: [{ path: "/a.txt", line: 3, text: "THREE", before: ["two"], after: ["four"] }],
    });
    expect((await files.grep("^[a-z]+$", "/", null, null, { regex: true })).matches).toHaveLength(
      2,
    );
    expect(await files.grep("(", "/", null, null, { regex: true })).toMatchObject({
      code: "invalid_pattern",
    });
    expect(await files.grep("(a+)+$", "/", null, null, { regex: true })).toMatchObject({
      matches: [],
    });
    expect(await files.grep("x", "/", null, null, { before: -1 })).toMatchObject({
      code: "invalid_argument",
    });
  });
});

async function literal(source: string): Promise<{ pattern: Parameters<typeof searchLines>[1] }> {
  const compiled = await compileLinePattern(source, {});
  if (compiled.failure !== undefined) throw new Error(compiled.failure.error);
  return compiled;
}

describe("hints of an edit that does not match", () => {
  test("show the three closest lines by their numbers, closest first, and clip long ones", async () => {
    const backend = new MemoryBackend();
    const long = `const value = compute(${"x".repeat(200)});`;
    await backend.write(
      "/a.ts",
      [
        "import a;",
        "const value = compute(1);",
        "const value = compute(12);",
        "const valu",
        long,
      ].join("\n"),
    );
    const near = await backend.edit("/a.ts", "const value = compute(2);", "");
    expect(near.error).toContain(
      "\n3: const value = compute(12);\n2: const value = compute(1);\n5: ",
    );
    expect(near.error).not.toContain("1: import a;");
    const far = await backend.edit("/a.ts", `${long}!`, "");
    expect(far.error).toContain(`5: ${long.slice(0, 160)}…`);
    expect(far.error).not.toContain(long);
    await backend.write("/tie.txt", "alpha beta\ngamma\nalpha beta\n");
    const tie = await backend.edit("/tie.txt", "alpha bet!", "");
    expect(tie.error).toContain("\n1: alpha beta\n3: alpha beta");
    await backend.write("/short.txt", "ab\nyy\n");
    const short = await backend.edit("/short.txt", "ab\nzz", "");
    expect(short.error).toContain("\n1: ab");
  });

  test("name ten lines of the occurrences, and say that there are more", async () => {
    const backend = new MemoryBackend();
    await backend.write("/a.txt", "x\n".repeat(11));
    await backend.write("/b.txt", "x\n".repeat(10));
    const eleven = await backend.edit("/a.txt", "x", "y");
    expect(eleven.error).toContain("(lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)");
    const ten = await backend.edit("/b.txt", "x", "y");
    expect(ten.error).toContain("(lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)");
  });
});

test("classes hold a bracket that comes first or is escaped", async () => {
  const backend = new MemoryBackend();
  for (const name of ["]", "a", "b"]) await backend.write(`/${name}`, "");
  const found = async (pattern: string): Promise<unknown> =>
    (await backend.glob(pattern)).files?.map(({ path }) => path);
  expect(await found("[]a]")).toEqual(["/]", "/a"]);
  expect(await found("[!]a]")).toEqual(["/b"]);
  expect(await found("[\\]a]")).toEqual(["/]", "/a"]);
  expect(await found("{[]],b}")).toEqual(["/]", "/b"]);
  expect((await backend.glob("\\.\\.")).code).toBe("invalid_pattern");
});

test("a replacement takes the line ends of what it replaces, not those of the rest of the file", () => {
  const edit = { old: "b\r\nc", new: "d\r\ne\nf", replaceAll: true };
  expect(applyEdits("x\r\nb\nc", [edit])).toEqual({
    text: "x\r\nd\ne\nf",
    occurrences: 1,
  });
});

test("a refused edit cuts no character of the line it shows in half", async () => {
  const files = new MemoryBackend();
  await files.write("/f", `${"a".repeat(159)}\u{1f600} the end`);
  const { error = "" } = await files.edit("/f", `${"a".repeat(159)}\u{1f600} an end`, "b");
  expect(error).toContain("1: aaa");
  expect(error.isWellFormed()).toBe(true);
});

test("a refusal names the lines behind empty ones, and an edit that says nothing of all means one", () => {
  const edits = [replacementOf({ old: "a", new: "b" })];
  expect(applyEdits("\n\n\na\n\na\n", edits).refusal).toEqual({
    code: "not_unique",
    index: 0,
    occurrences: 2,
    lines: [4, 6],
  });
});
