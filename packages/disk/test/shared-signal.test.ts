import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { buildProjects } from "@fs/test-servers/built";
import { leakWarnings } from "@fs/test-servers/leak-warnings";
import { beforeAll, expect, test } from "vitest";
import { temporaryRoot } from "./temporary-root.js";

const SEARCHES = 24;
/** More than are searched before a thread is started. */
const FILES = 100;

// The search thread runs the compiled package.
beforeAll(() => buildProjects("packages/disk"));

test.each([
  ["for a text, by ripgrep,", "needle", false],
  ["for an expression, in threads,", "ne+dle", true],
])("many searches %s that share a signal are no leak", async (_, pattern, regex) => {
  const rootDir = temporaryRoot();
  for (let at = 0; at < FILES; at++) writeFileSync(join(rootDir, `${at}.txt`), "needle\n");
  const files = new FilesystemBackend({ rootDir });
  const warnings = await leakWarnings(async (signal) => {
    const answers = await Promise.all(
      Array.from({ length: SEARCHES }, () =>
        files.grep(pattern, "/", null, null, { regex, signal }),
      ),
    );
    for (const { matches } of answers) expect(matches).toHaveLength(FILES);
  });
  expect(warnings).toEqual([]);
});
