import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { seedOfEnvironment } from "../src/engine/environment-seed.js";
import { buildPackage } from "./built-package.js";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "fs-conformance-seed-"));
const built = (file: string): string =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, "..", "..", file)).href);

beforeAll(() => buildPackage());
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [undefined, undefined],
  ["", undefined],
  ["0", 0],
  ["2147483647", 2_147_483_647],
])("%j is the seed %s", (text, seed) => {
  vi.stubEnv("FS_CONFORMANCE_SEED", text);
  expect(seedOfEnvironment()).toBe(seed);
});

test.each(["seven", "-1", "1.5", "2147483648", "0x10", " 7"])("%j is refused", (text) => {
  vi.stubEnv("FS_CONFORMANCE_SEED", text);
  expect(() => seedOfEnvironment()).toThrow("FS_CONFORMANCE_SEED must be a whole number");
});

test("the tests of node:test have the seed of the environment, or the one of their options", async () => {
  const script = join(folder, "seeds.test.mjs");
  writeFileSync(
    script,
    `import { conformance } from ${built("conformance/dist/node-test.js")};
     import { MemoryBackend } from ${built("protocol/dist/index.js")};
     const create = () => new MemoryBackend();
     const onReport = ({ seed }) => console.log("seed " + seed);
     conformance({ name: "one", create }, { only: "write/creates", onReport });
     conformance({ name: "two", create }, { only: "write/creates", seed: 8, onReport });`,
  );
  const env = { ...process.env, FS_CONFORMANCE_SEED: "7" };
  const { stdout } = await run(process.execPath, [script], { env });
  expect(stdout.match(/seed \d+/g)).toEqual(["seed 7", "seed 8"]);
});
