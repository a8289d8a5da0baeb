import { expect, test } from "vitest";
import { FilesystemBackend } from "@fs/disk";
import { temporaryRoot } from "./temporary-root.js";

const segments = (count: number, letter: string): string =>
  Array.from({ length: count }, () => letter.repeat(250)).join("/");

test("a directory is not moved to where its files would get paths that are too long", async () => {
  const files = new FilesystemBackend({ rootDir: temporaryRoot() });
  const deep = `/a/${segments(14, "d")}/f`;
  await files.write(deep, "long");
  for (const kind of ["move", "copy"] as const)
    expect(await files[kind]("/a", `/${segments(3, "b")}`)).toMatchObject({ code: "invalid_path" });
  expect((await files.glob("**")).files).toHaveLength(1);
  expect((await files.read(deep)).content).toBe("long");
  expect(await files.move("/a", "/longer")).toEqual({ path: "/longer", files: 1 });
});
