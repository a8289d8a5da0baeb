import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ancestorsOf,
  canonicalFilePath,
  canonicalPath,
  isWithin,
  joinPath,
  parentOf,
  segmentsOf,
} from "@fs/protocol/author";

describe("canonicalPath", () => {
  test.each([
    ["/", "/"],
    ["//", "/"],
    ["/a", "/a"],
    ["/a/", "/a"],
    ["//a//b/./c", "/a/b/c"],
    ["/foo..bar/[...slug].tsx", "/foo..bar/[...slug].tsx"],
    ["/__proto__/constructor", "/__proto__/constructor"],
    [`/'"[]{}$*?#%:\\ é😀`, `/'"[]{}$*?#%:\\ é😀`],
    ["/...", "/..."],
    ["/~x", "/~x"],
  ])("%j is %j", (input, path) => {
    expect(canonicalPath(input)).toEqual({ path });
  });

  test.each([
    "",
    "a/b",
    "../a",
    "/a/../b",
    "/..",
    "/~/x",
    "/a\0b",
    "/a\nb",
    "/a\u007f",
    "/\ud800",
    `/${"é".repeat(128)}`,
    `/${"a".repeat(256)}`,
    `/${"a/".repeat(2100)}b`,
    42,
    null,
    undefined,
    {},
  ])("%j is refused", (input) => {
    expect(canonicalPath(input).failure).toMatchObject({ code: "invalid_path" });
  });

  test("limits are bytes, and at the limit a path works", () => {
    expect(canonicalPath(`/${"é".repeat(127)}a`)).toHaveProperty("path");
    expect(canonicalPath(`/${"a".repeat(255)}`)).toHaveProperty("path");
    expect(canonicalPath(`/${"a/".repeat(2047)}b`)).toHaveProperty("path");
  });

  test("a relative path is answered with the absolute one", () => {
    expect(canonicalPath("src/a.ts").failure?.error).toContain("'/src/a.ts'");
  });

  test("a control character never reaches the sentence", () => {
    expect(canonicalPath("/a\u001b[31m\n").failure?.error).toContain("\\u001b");
  });

  test("is idempotent, and never leaves the root", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (input) => {
        const once = canonicalPath(`/${input}`);
        if (once.failure !== undefined) return;
        expect(canonicalPath(once.path)).toEqual(once);
        expect(segmentsOf(once.path)).not.toContain("..");
        expect(segmentsOf(once.path)).not.toContain("");
      }),
    );
  });
});

test("a file path has no trailing slash and is not the root", () => {
  expect(canonicalFilePath("/a/").failure).toMatchObject({ code: "invalid_path" });
  expect(canonicalFilePath("/a/.").failure).toMatchObject({ code: "invalid_path" });
  expect(canonicalFilePath("/").failure).toMatchObject({ code: "is_directory" });
  expect(canonicalFilePath("//a")).toEqual({ path: "/a" });
});

test("segments", () => {
  expect(segmentsOf("/")).toEqual([]);
  expect(segmentsOf("/a/b")).toEqual(["a", "b"]);
  expect(parentOf("/a")).toBe("/");
  expect(parentOf("/a/b")).toBe("/a");
  expect(ancestorsOf("/a/b/c")).toEqual(["/a", "/a/b"]);
  expect(joinPath("/", "a")).toBe("/a");
  expect(isWithin("/ab", "/a")).toBe(false);
  expect(isWithin("/a", "/a")).toBe(true);
  expect(isWithin("/x", "/")).toBe(true);
});
