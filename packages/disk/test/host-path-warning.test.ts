import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { afterAll, beforeAll, expect, test } from "vitest";

let rootDir: string;
const warnings: Array<Error & { code?: string }> = [];
const listen = (warning: Error): void => void warnings.push(warning);
beforeAll(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "host-path-"));
  process.on("warning", listen);
});
afterAll(async () => {
  process.off("warning", listen);
  await rm(rootDir, { recursive: true });
});

test("a path that begins with the host directory is warned of once, without naming it", async () => {
  const files = new FilesystemBackend({ rootDir });
  await files.write(`${rootDir}-beside/a.txt`, "one");
  await files.write("/a.txt", "one");
  const own = () => warnings.filter(({ code }) => code === "FS_HOST_PATH");
  await new Promise(setImmediate);
  expect(own()).toEqual([]);
  expect((await files.read(`${rootDir}/a.txt`)).code).toBe("not_found");
  await files.read(`${rootDir}/a.txt`);
  await new Promise(setImmediate);
  expect(own()).toHaveLength(1);
  expect(own()[0]?.message).toContain("'/' is 'rootDir'");
  expect(own()[0]?.message).not.toContain(rootDir);
});
