import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FilesystemBackend } from "@fs/disk";
import { snapshot } from "./witness.js";
import { link, out, LIMIT, place, SECRET, SECRET_NAME } from "./guarded-place.js";

const PATTERNS = [
  "../**",
  "../root-outside/*",
  "/../root-outside/*",
  "sub/../../root-outside/*",
  "{..,sub}/**",
  "{../root-outside,sub}/*",
  "[.][.]/root-outside/*",
  "?./root-outside/*",
  "**/../../*",
  "\\.\\./*",
  "l/**",
  "**/l/*",
  "/etc/*",
  `{${"a,".repeat(5000)}b}`,
  "{a,b}".repeat(64),
  `${"*a".repeat(400)}b`,
  `${"**/".repeat(300)}x`,
  "[".repeat(1000),
  "(a+)+$",
];

test.each(PATTERNS)("the pattern %j names nothing outside", { timeout: LIMIT }, async (pattern) => {
  const where = place();
  link("l", out)(where);
  const before = snapshot(where.outside);
  const backend = new FilesystemBackend({ rootDir: where.root });
  const answers = JSON.stringify([
    await backend.glob(pattern),
    await backend.glob(pattern, "/sub"),
    await backend.grep("secret", "/", pattern),
    await backend.grep(pattern),
    await backend.grep(pattern, "/", null, null, { regex: true }),
  ]);
  expect(answers).not.toContain(SECRET);
  expect(answers).not.toContain(SECRET_NAME);
  expect(snapshot(where.outside)).toEqual(before);
});

const RIPGREP_PATTERNS = [
  "--pre=sh",
  "-f/etc/passwd",
  "--hostname-bin=/bin/sh",
  "-",
  "--",
  "-e",
  "\0",
];

test.each(RIPGREP_PATTERNS)("ripgrep takes %j for text", { timeout: LIMIT }, async (pattern) => {
  const { root } = place();
  writeFileSync(join(root, "flags.txt"), `before\nsay ${pattern.replace("\0", "nul")} loud\n`);
  const { matches, error } = await new FilesystemBackend({ rootDir: root }).grep(pattern);
  expect(error).toBeUndefined();
  const expected =
    pattern === "\0" ? [] : [{ path: "/flags.txt", line: 2, text: `say ${pattern} loud` }];
  expect(matches).toEqual(expected);
});

test("ripgrep reads no configuration of the tree or the host", { timeout: LIMIT }, async () => {
  const { root } = place();
  writeFileSync(join(root, ".ripgreprc"), "--pre=sh\n");
  writeFileSync(join(root, ".ignore"), "*\n");
  process.env["RIPGREP_CONFIG_PATH"] = join(root, ".ripgreprc");
  onTestFinished(() => {
    delete process.env["RIPGREP_CONFIG_PATH"];
  });
  const { matches } = await new FilesystemBackend({ rootDir: root }).grep("mine");
  expect(matches).toHaveLength(2);
});

test("a ripgrep planted in the served tree is not started", { timeout: LIMIT }, async () => {
  const { root } = place();
  const witnessed = join(root, "started");
  writeFileSync(join(root, "rg"), `#!/bin/sh\ntouch '${witnessed}'\n`, { mode: 0o755 });
  const path = process.env["PATH"];
  process.env["PATH"] = `${root}:${path}`;
  onTestFinished(() => {
    process.env["PATH"] = path;
  });
  const { matches } = await new FilesystemBackend({ rootDir: root }).grep("mine");
  expect(matches).toHaveLength(2);
  expect(snapshot(root).some((entry) => entry.startsWith("/started"))).toBe(false);
});
