import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { FilesystemBackend } from "@fs/disk";

test.each<[unknown]>([
  ["path"],
  [null],
  [[]],
  [{ root: tmpdir() }],
  [{ rootDir: "" }],
  [{ rootDir: undefined }],
  [{ rootDir: null }],
  [{ rootDir: 7 }],
  [{ virtualMode: null }],
  [{ virtualMode: "false" }],
  [{ maxFileSizeMb: Number.NaN }],
  [{ maxFileSizeMb: "10" }],
  [{ maxFileBytes: -1 }],
  [{ maxFileBytes: Number.NaN }],
  [{ symlinks: "follow" }],
  [{ symlinks: null }],
  [{ fsync: 1 }],
  [{ ripgrep: true }],
  [{ ripgrep: "" }],
  [{ containment: "none" }],
  [{ writeMode: "replace" }],
  [{ concurrency: 0 }],
  [{ onError: "log" }],
])("options %j are refused at construction", (options) => {
  const given = typeof options === "object" && options !== null && !Array.isArray(options);
  const whole = given && !("root" in options) ? { rootDir: tmpdir(), ...options } : options;
  expect(() => new FilesystemBackend(whole as never)).toThrow(TypeError);
});

test("an absent rootDir is the working directory, and both spellings of the limit work", async () => {
  expect((await new FilesystemBackend().ls("/")).error).toBeUndefined();
  const rootDir = tmpdir();
  for (const limit of [{ maxFileBytes: 4 }, { maxFileSizeMb: 4 / 1024 / 1024 }]) {
    const backend = new FilesystemBackend({ rootDir, ...limit });
    expect((await backend.write("/fs-disk-options.txt", "12345")).code).toBe("too_large");
  }
});
