import { setImmediate as nextTurn } from "node:timers/promises";
import { VolumeError } from "@fs/protocol/author";
import { expect, test } from "vitest";
import { settleInSlices } from "../src/file/settle-in-slices.js";
import { FilesystemBackend } from "../src/filesystem-backend.js";
import { temporaryRoot } from "./temporary-root.js";

/** Takes longer than a slice. */
function work(): void {
  const end = performance.now() + 6;
  while (performance.now() < end);
}

test("tasks that have ended keep their results when the signal fires, and none begins after it", async () => {
  const controller = new AbortController();
  const begun: number[] = [];
  const results = await settleInSlices([0, 1, 2, 3, 4], controller.signal, async (item) => {
    begun.push(item);
    work();
    if (item === 1) throw new Error("refused");
    if (item === 2) controller.abort();
    return item;
  });
  expect(begun).toEqual([0, 1, 2]);
  const aborted = { status: "rejected", reason: new VolumeError("aborted") };
  expect(results).toEqual([
    { status: "fulfilled", value: 0 },
    { status: "rejected", reason: new Error("refused") },
    { status: "fulfilled", value: 2 },
    aborted,
    aborted,
  ]);
});

const FILES = 400;
const paths = Array.from({ length: FILES }, (_, n) => `/f${n}.txt`);

test("an upload that is aborted between two slices says of each file whether it is there", async () => {
  const files = new FilesystemBackend({ rootDir: temporaryRoot() });
  let stored = 0;
  let left = 0;
  for (let turns = 1; turns <= 8; turns++) {
    const controller = new AbortController();
    const pending = files.uploadFiles(
      paths.map((path) => [`/${turns}${path}`, Buffer.from(path)] as const),
      { signal: controller.signal },
    );
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    controller.abort();
    const answers = await pending;
    const found = await files.downloadFiles(answers.map(({ path }) => path));
    for (const [n, { error, code }] of answers.entries()) {
      if (error !== null) expect(code).toBe("aborted");
      expect(found[n]?.error === null).toBe(error === null);
      if (error === null) stored++;
      else left++;
    }
  }
  expect(stored).toBeGreaterThan(0);
  expect(left).toBeGreaterThan(0);
});

test("a copy that is aborted between two slices takes back what it has copied", async () => {
  const files = new FilesystemBackend({ rootDir: temporaryRoot() });
  await files.uploadFiles(paths.map((path) => [`/from${path}`, Buffer.from(path)] as const));
  let aborted = 0;
  for (let turns = 1; turns <= 24; turns++) {
    const controller = new AbortController();
    const pending = files.copy("/from", `/to${turns}`, { signal: controller.signal });
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    controller.abort();
    const { code } = await pending;
    const arrived = (await files.glob("**", `/to${turns}`)).files ?? [];
    if (code === undefined) expect(arrived).toHaveLength(FILES);
    else {
      expect(code).toBe("aborted");
      expect(arrived.map(({ path }) => path)).toEqual([]);
      aborted++;
    }
  }
  expect(aborted).toBeGreaterThan(0);
  expect((await files.glob("**", "/from")).files).toHaveLength(FILES);
});
