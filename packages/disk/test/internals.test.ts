import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FilesystemBackend } from "../src/filesystem-backend.js";
import { withLocks } from "../src/lock/file-lock.js";
import { lockDirectory } from "../src/lock/lock-directory.js";
import { describeSelf, fateOf, parseOwner, writeOwner } from "../src/lock/owner.js";
import { windowsNameProblem } from "../src/tree/windows-names.js";
import { temporaryRoot } from "./temporary-root.js";

test.each([
  "C:",
  "C:x",
  "a\\b",
  "..\\x",
  "\\\\server\\share",
  "file.txt:stream",
  "file::$DATA",
  "CON",
  "con",
  "nul.txt",
  "COM1",
  "com¹",
  "LPT9.log",
  "CONIN$",
  "prn .txt",
  "trailing.",
  "trailing ",
  "a<b",
  "a|b",
  "a?b",
  "a*b",
  'a"b',
  "PROGRA~1",
])("on Windows, %j is refused as a name", (name) => {
  expect(windowsNameProblem(name)).toBeTypeOf("string");
});

test.each(["console", "comma", "nulled.txt", "com10", ".env", "a b", "[...slug].tsx", "é", "a~b"])(
  "on Windows, %j is a plain name",
  (name) => {
    expect(windowsNameProblem(name)).toBeUndefined();
  },
);

describe("a lock", () => {
  test("excludes others until its task is done", async () => {
    let inside = 0;
    const task = (): number => {
      inside++;
      return inside--;
    };
    const key = `test-${process.pid}-${Math.random()}`;
    const depths = await Promise.all(
      Array.from({ length: 50 }, () => withLocks([key, "b"], undefined, task)),
    );
    expect(new Set(depths)).toEqual(new Set([1]));
  });

  test("names its owner, and tells a dead one from a living one", () => {
    const self = describeSelf();
    expect(parseOwner(writeOwner(self))).toEqual(self);
    expect(parseOwner("rubbish")).toBeUndefined();
    const other = { ...self, id: "1-ab" };
    expect(fateOf(self, self)).toBe("alive");
    // No process has the highest number there is.
    expect(fateOf({ ...other, pid: 2 ** 22 + 1 }, self)).toBe("gone");
    expect(fateOf({ ...other, scope: "another-boot ns" }, self)).toBe("unknown");
    expect(fateOf({ ...other, pid: 2 ** 22 + 1, scope: "elsewhere" }, self)).toBe("unknown");
    expect(fateOf({ ...other, thread: "", started: "" }, self)).toBe("unknown");
    if (self.started === "") return;
    expect(fateOf(other, self)).toBe("alive");
    expect(fateOf({ ...other, started: "1" }, self)).toBe("gone");
    expect(fateOf({ ...other, thread: String(2 ** 22 + 1) }, self)).toBe("gone");
  });

  test("whose file is gone does not stop the next one", async () => {
    expect(readFileSync(lockDirectory().ownerFile, "utf8")).toBe(writeOwner(lockDirectory().self));
    await withLocks(["again"], undefined, () => undefined);
    await expect(withLocks(["again"], undefined, () => 1)).resolves.toBe(1);
  });

  test("is released when its task throws", async () => {
    const failing = withLocks(["throws"], undefined, () => {
      throw new Error("task");
    });
    await expect(failing).rejects.toThrow("task");
    await expect(withLocks(["throws"], undefined, () => 1)).resolves.toBe(1);
  });
});

test("a subclass learns the real directory of a virtual one, and of no link", () => {
  class Shell extends FilesystemBackend {
    cwd(path?: string): string {
      return this.hostDirectory(path);
    }
  }
  const rootDir = temporaryRoot();
  mkdirSync(join(rootDir, "sub"));
  symlinkSync("/", join(rootDir, "out"));
  const shell = new Shell({ rootDir });
  expect(shell.cwd()).toBe(rootDir);
  expect(shell.cwd("/sub")).toBe(join(rootDir, "sub"));
  expect(() => shell.cwd("/out")).toThrow("symbolic link");
  expect(() => shell.cwd("/none")).toThrow("not_found");
});

test("a change by another program in between is a conflict for a version that was read", async () => {
  const rootDir = temporaryRoot();
  const backend = new FilesystemBackend({ rootDir });
  await backend.write("/f.txt", "aaaa");
  const { version } = await backend.read("/f.txt");
  const fd = openSync(join(rootDir, "f.txt"), "r+");
  writeSync(fd, "bbbb", 0);
  closeSync(fd);
  expect(version).toBeTypeOf("string");
  const options = { ifVersion: String(version) };
  expect(await backend.edit("/f.txt", "bbbb", "c", false, options)).toMatchObject({
    code: "conflict",
  });
  expect(await backend.write("/f.txt", "c", options)).toMatchObject({ code: "conflict" });
  expect(await backend.delete("/f.txt", options)).toMatchObject({ code: "conflict" });
  expect(readFileSync(join(rootDir, "f.txt"), "utf8")).toBe("bbbb");
});

test("moving over a second name of the same file leaves one", async () => {
  const rootDir = temporaryRoot();
  writeFileSync(join(rootDir, "a"), "1");
  const backend = new FilesystemBackend({ rootDir });
  linkSync(join(rootDir, "a"), join(rootDir, "b"));
  expect((await backend.move("/a", "/b", { overwrite: true })).error).toBeUndefined();
  expect((await backend.ls("/")).files?.map(({ path }) => path)).toEqual(["/b"]);
});
