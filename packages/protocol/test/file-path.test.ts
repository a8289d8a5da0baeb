import { expect, test } from "vitest";
import { canonicalFilePath, isCanonicalFilePath } from "../src/author.js";

test.each([
  "/a",
  "/a/b c.txt",
  "/.hidden",
  "/..a/~b",
  "/é/😀",
  `/${"a".repeat(255)}`,
  `/${"a".repeat(256)}`,
  `/${"é".repeat(128)}`,
  "/a".repeat(2048),
  "/a".repeat(2049),
  "",
  "/",
  "a",
  "/a/",
  "/a//b",
  "/a/./b",
  "/a/..",
  "/~",
  "/~/a",
  "/a\n",
  "/a\u007f",
  "/\ud800",
])("%j is told as canonicalFilePath tells it", (text) => {
  const { path } = canonicalFilePath(text) as { path?: string };
  expect(isCanonicalFilePath(text)).toBe(path === text);
});
