import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileLinePattern, searchLines } from "@fs/protocol/hooks";
import { expect, test } from "vitest";
import { FilesystemBackend } from "@fs/disk";
import { literalHits } from "../src/search/literal-hits.js";
import { temporaryRoot } from "./temporary-root.js";

const PIECES = ["a", "ab", "b", "\n", "\r", "\r\n", "é", "😀", "\ufeff", "\u2028", " "];

/** Texts of a fixed sequence, so that a failure comes again. */
function* texts(count: number, length: number): Generator<string> {
  let state = 1;
  for (let n = 0; n < count; n++) {
    let text = "";
    for (let i = 0; i < length; i++) {
      state = (state * 48_271) % 2_147_483_647;
      text += PIECES[state % PIECES.length] ?? "";
    }
    yield text;
  }
}

test.each(["a", "ab", "b", "é", "😀", "\ufeff", "\u2028", "aba"])(
  "lines that hold %j are those that the protocol's own search finds",
  async (source) => {
    const compiled = await compileLinePattern(source, {});
    if (compiled.failure !== undefined) throw new Error(compiled.failure.error);
    for (const text of texts(300, 24)) {
      for (const limit of [1, 3, Infinity]) {
        const found = literalHits(Buffer.from(text), Buffer.from(source), limit);
        expect(found).toEqual(searchLines(text, compiled.pattern, limit));
      }
    }
  },
);

test("matches do not keep their files in memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const rootDir = temporaryRoot();
  mkdirSync(join(rootDir, "d"));
  const filler = "filler line\n".repeat(90_000);
  for (let i = 0; i < 80; i++) writeFileSync(join(rootDir, "d", `${i}.txt`), `${filler}Needle\n`);
  const backend = new FilesystemBackend({ rootDir });
  for (const options of [{}, { ignoreCase: true }]) {
    await backend.grep("nothing at all", "/", null, null, options);
    collect();
    const before = process.memoryUsage().heapUsed;
    const { matches } = await backend.grep("Needle", "/", null, null, options);
    collect();
    // 80 files of one megabyte are searched; kept, they would be all of it.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * 1024 * 1024);
    expect(matches).toHaveLength(80);
  }
});
