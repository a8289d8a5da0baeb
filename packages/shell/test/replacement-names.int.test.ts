import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

test("a name with a replacement character is a name, and one that is no UTF-8 is not taken for it", async () => {
  const root = mkdtempSync(join(tmpdir(), "fs-shell-replacement-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const sandbox = new LocalProcessSandbox({ rootDir: root });
  await sandbox.write("/d/\ufffd.txt", "one\n");
  await sandbox.write("/\ufffd/a.txt", "one\n");
  // Both come out of a command as the name above does.
  for (const byte of [0xff, 0xfe])
    writeFileSync(
      Buffer.from([...Buffer.from(`${root}/d/`), byte, ...Buffer.from(".txt")]),
      "one, and longer\n",
    );
  const paths = ["/d/\ufffd.txt", "/\ufffd/a.txt"];
  const pathsOf = (entries?: ReadonlyArray<{ path: string }>) => entries?.map(({ path }) => path);
  expect(await sandbox.ls("/d")).toMatchObject({ files: [{ path: paths[0], size: 4 }] });
  expect(pathsOf((await sandbox.ls("/")).files)).toEqual(["/d/", "/\ufffd/"]);
  expect(pathsOf((await sandbox.glob("**")).files)).toEqual(paths);
  expect(pathsOf((await sandbox.grep("one")).matches)).toEqual(paths);
  expect((await sandbox.read("/d/\ufffd.txt")).content).toBe("one\n");
  expect(await sandbox.stat("/d/\ufffd.txt")).toMatchObject({ info: { size: 4 } });
  expect(await sandbox.move("/\ufffd", "/moved")).toEqual({ path: "/moved", files: 1 });
});
