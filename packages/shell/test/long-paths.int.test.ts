import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

const segments = (count: number, letter: string): string =>
  Array.from({ length: count }, () => letter.repeat(250)).join("/");

test("a directory is not moved to where its files would get paths that are too long", async () => {
  const root = mkdtempSync(join(tmpdir(), "fs-shell-long-paths-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const sandbox = new LocalProcessSandbox({ rootDir: root });
  const deep = `/a/${segments(14, "d")}/f`;
  await sandbox.write(deep, "long");
  expect(await sandbox.move("/a", `/${segments(3, "b")}`)).toMatchObject({ code: "invalid_path" });
  expect((await sandbox.glob("**")).files).toHaveLength(1);
  expect((await sandbox.read(deep)).content).toBe("long");
  expect(await sandbox.move("/a", "/longer")).toEqual({ path: "/longer", files: 1 });
});

test("a directory is moved to where its longest path is just as long as a path may be", async () => {
  const root = mkdtempSync(join(tmpdir(), "fs-shell-long-paths-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const sandbox = new LocalProcessSandbox({ rootDir: root });
  const deep = `${segments(14, "d")}/f`;
  await sandbox.write(`/a/${deep}`, "long");
  const left = 4096 - `/${segments(2, "b")}//${deep}`.length;
  const to = (more: number): string => `/${segments(2, "b")}/${"c".repeat(left + more)}`;
  expect(await sandbox.move("/a", to(1))).toMatchObject({ code: "invalid_path" });
  expect(await sandbox.move("/a", to(0))).toMatchObject({ files: 1 });
  // Back to where its host path is short enough for Node to remove it.
  expect(await sandbox.move(to(0), "/a")).toMatchObject({ files: 1 });
});
