import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { afterEach, beforeEach, expect, it } from "vitest";

let root = "";
let files: FilesystemBackend;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fs-links-"));
  mkdirSync(join(root, "real"));
  writeFileSync(join(root, "real", "f"), "precious");
  symlinkSync("real", join(root, "link"));
  symlinkSync("real/f", join(root, "file"));
  files = new FilesystemBackend({ rootDir: root, symlinks: "inside" });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("a link that is written as a directory is not emptied", async () => {
  expect((await files.delete("/link/")).code).toBe("not_directory");
  expect(readFileSync(join(root, "real", "f"), "utf8")).toBe("precious");
  expect((await files.delete("/link")).error).toBeUndefined();
  expect(existsSync(join(root, "link"))).toBe(false);
  expect((await files.read("/real/f")).content).toBe("precious");
});

it("a link is removed in the version that it is seen with", async () => {
  const version = (await files.stat("/file")).info?.version ?? "";
  await files.edit("/real/f", "precious", "changed");
  expect((await files.delete("/file", { ifVersion: version })).code).toBe("conflict");
  const now = (await files.stat("/file")).info?.version ?? "";
  expect((await files.delete("/file", { ifVersion: now })).error).toBeUndefined();
  expect((await files.read("/real/f")).content).toBe("changed");
});
