import { afterAll, beforeAll, expect, test } from "vitest";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

const LEFT = `.fs-sandbox-${"0a".repeat(12)}.tmp`;

let root: string;
let files: LocalProcessSandbox;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "temporary-names-"));
  files = new LocalProcessSandbox({ rootDir: root });
  await files.write("/d/a.txt", "hit\n");
  // As a command leaves it that was killed while it stored a file.
  writeFileSync(join(root, "d", LEFT), "hit\n");
  // And while it removed a directory.
  mkdirSync(join(root, LEFT));
  writeFileSync(join(root, LEFT, "b.txt"), "hit\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("no listing and no search shows what is being written or removed (A4)", async () => {
  expect((await files.ls("/d")).files?.map(({ path }) => path)).toEqual(["/d/a.txt"]);
  expect((await files.glob("**")).files?.map(({ path }) => path)).toEqual(["/d/a.txt"]);
  expect((await files.grep("hit")).matches?.map(({ path }) => path)).toEqual(["/d/a.txt"]);
});

test("a path with such a name is refused, and the others of its batch are not (T1)", async () => {
  const path = `/d/${LEFT}`;
  expect((await files.write(path, "x")).code).toBe("permission_denied");
  expect((await files.read(path)).code).toBe("permission_denied");
  const bytes = Uint8Array.of(97);
  const stored = await files.uploadFiles([
    ["/d/b.txt", bytes],
    [path, bytes],
    ["/d/c.txt", bytes],
  ]);
  expect(stored.map(({ code }) => code)).toEqual([undefined, "permission_denied", undefined]);
  const fetched = await files.downloadFiles(["/d/b.txt", path, "/d/c.txt"]);
  expect(fetched.map(({ content }) => content?.length)).toEqual([1, undefined, 1]);
});

test("a directory goes with what was left in it (D2)", async () => {
  expect((await files.delete("/d")).error).toBeUndefined();
  expect((await files.ls("/")).files).toEqual([]);
});
