import { closeSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FilesystemBackend } from "@fs/disk";
import { temporaryRoot } from "./temporary-root.js";

const LINE = `${"é".repeat(30)}\n`;

test.each([10, 30_000])(
  "pages of a file of %d lines are what the whole file says",
  async (count) => {
    const rootDir = temporaryRoot();
    const lines = Array.from({ length: count }, (_, i) => `${i} ${LINE}`);
    for (const last of ["", "no line end"]) {
      writeFileSync(join(rootDir, "f.txt"), lines.join("") + last);
      const backend = new FilesystemBackend({ rootDir });
      const generic = backend.withoutHooks();
      for (const offset of [0, 1, 9, Math.floor(count / 2), count - 1, count, count + 5]) {
        for (const limit of [0, 1, 7, 500, count * 2]) {
          const { totalLines, ...page } = await backend.read("/f.txt", offset, limit);
          const { totalLines: known, ...expected } = await generic.read("/f.txt", offset, limit);
          expect(page).toEqual(expected);
          if (totalLines !== undefined) expect(totalLines).toBe(known);
        }
      }
    }
  },
);

test.runIf(process.platform === "linux")("a page costs the page, not the file", async () => {
  const rootDir = temporaryRoot();
  const fd = openSync(join(rootDir, "big.txt"), "w");
  const block = Buffer.from("a line of text\n".repeat(70_000));
  for (let i = 0; i < 100; i++) writeSync(fd, block);
  closeSync(fd);
  const backend = new FilesystemBackend({ rootDir });
  await backend.read("/big.txt", 0, 1);
  const before = bytesRead();
  const page = await backend.read("/big.txt", 0, 100);
  expect(page).toMatchObject({ startLine: 1, endLine: 100, nextOffset: 100 });
  expect(bytesRead() - before).toBeLessThan(1024 * 1024);
  const later = await backend.read("/big.txt", 70_000, 100);
  expect(later.content).toBe("a line of text\n".repeat(100));
  // Up to the end of the page and one chunk, and what the runner reads for itself.
  expect(bytesRead() - before).toBeLessThan(block.length + 3 * 1024 * 1024);
});

test("what does not fit in memory is refused with advice, and its pages are read", async () => {
  const rootDir = temporaryRoot();
  writeFileSync(join(rootDir, "big.txt"), "x\n");
  truncateSync(join(rootDir, "big.txt"), 3 * 1024 * 1024);
  const backend = new FilesystemBackend({ rootDir, maxFileSizeMb: 2 });
  expect(await backend.readRaw("/big.txt")).toMatchObject({ code: "too_large" });
  expect(await backend.read("/big.txt", 0, 1)).toMatchObject({ content: "x\n" });
  expect(await backend.edit("/big.txt", "x", "y")).toMatchObject({ code: "too_large" });
  expect(await backend.write("/new.txt", "x".repeat(2 * 1024 * 1024 + 1))).toMatchObject({
    code: "too_large",
  });
  expect((await backend.copy("/big.txt", "/copy.txt")).error).toBeUndefined();
});

function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}
