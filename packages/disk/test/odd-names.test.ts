import {
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FilesystemBackend } from "@fs/disk";
import { temporaryRoot } from "./temporary-root.js";

const RESERVED = `.fs-disk-${"0a".repeat(12)}.tmp`;
/** A host path with a last name of any bytes. */
const raw = (directory: string, ...bytes: number[]): Buffer =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(bytes)]);

describe.each(["race-free", "best-effort"] as const)(
  "%s: names that are no UTF-8",
  (containment) => {
    test("go with their directory, at any depth, whatever they name", async () => {
      const rootDir = temporaryRoot();
      const top = join(rootDir, "top");
      mkdirSync(top);
      writeFileSync(join(top, "plain.txt"), "1");
      writeFileSync(raw(top, 0x61, 0xff), "2");
      symlinkSync("/", raw(top, 0xfe));
      const odd = raw(top, 0xff, 0xfe);
      mkdirSync(odd);
      writeFileSync(Buffer.concat([odd, Buffer.from("/inner.txt")]), "3");
      mkdirSync(Buffer.concat([odd, Buffer.from([0x2f, 0xc3])]));
      mkdirSync(join(top, "line\nend"));
      const backend = new FilesystemBackend({ rootDir, containment });
      expect((await backend.delete("/top")).error).toBeUndefined();
      expect(readdirSync(rootDir)).toEqual([]);
    });

    test("are listed neither themselves nor as another name twice", async () => {
      const rootDir = temporaryRoot();
      writeFileSync(raw(rootDir, 0xff), "raw");
      writeFileSync(raw(rootDir, 0xfe), "raw");
      const backend = new FilesystemBackend({ rootDir, containment });
      expect((await backend.ls("/")).files).toEqual([]);
      writeFileSync(join(rootDir, "\uFFFD"), "spelt so");
      expect((await backend.ls("/")).files?.map(({ path }) => path)).toEqual(["/\uFFFD"]);
      expect((await backend.glob("*")).files?.map(({ path }) => path)).toEqual(["/\uFFFD"]);
    });
  },
);

describe("a reserved name", () => {
  const places = [
    `/${RESERVED}`,
    `/${RESERVED}/x`,
    `/a/${RESERVED}/b/c`,
    `/${RESERVED.toUpperCase()}`,
  ];
  test.each(places)("%s is refused by every operation", async (path) => {
    const rootDir = temporaryRoot();
    const backend = new FilesystemBackend({ rootDir });
    await backend.write("/f.txt", "1");
    mkdirSync(join(rootDir, "d"));
    const [uploaded] = await backend.uploadFiles([[path, new Uint8Array([1])]]);
    const [downloaded] = await backend.downloadFiles([path]);
    const answers = [
      await backend.ls(path),
      await backend.read(path),
      await backend.readRaw(path),
      await backend.write(path, "x"),
      await backend.edit(path, "a", "b"),
      await backend.delete(path),
      await backend.glob("*", path),
      await backend.grep("x", path),
      await backend.move("/f.txt", path),
      await backend.move(path, "/g.txt"),
      await backend.move("/d", path),
      await backend.copy("/f.txt", path),
      await backend.copy(path, "/g.txt"),
    ];
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(["permission_denied"]));
    expect(uploaded?.error).toBe("permission_denied");
    expect(downloaded?.error).toBe("permission_denied");
    expect(readdirSync(rootDir).toSorted()).toEqual(["d", "f.txt"]);
  });
});

test("what a killed writer left is removed by a listing once it is old, and not before", async () => {
  const rootDir = temporaryRoot();
  const old = join(rootDir, RESERVED);
  const young = join(rootDir, RESERVED.replace("0a", "0b"));
  for (const file of [old, young]) writeFileSync(file, "half");
  const hours = Date.now() / 1000 - 2 * 60 * 60;
  utimesSync(old, hours, hours);
  const backend = new FilesystemBackend({ rootDir });
  expect((await backend.ls("/")).files).toEqual([]);
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  unlinkSync(young);
});
