import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecuteOptions, ExecuteResponse } from "@fs/protocol";
import { expect, onTestFinished, test } from "vitest";
import { shellText } from "../src/sandbox/shell-text.js";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

const OTHER_DISK = "/dev/shm";
const canMount =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["-m", "true"]).status === 0 &&
  existsSync(OTHER_DISK) &&
  statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;

function folder(parent: string): string {
  const made = mkdtempSync(join(parent, "fs-two-disks-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A sandbox in which another disk is mounted at `/other`, as a container has its volumes. */
class WithOtherDisk extends LocalProcessSandbox {
  readonly #mount: string;

  constructor(rootDir: string, disk: string) {
    super({ rootDir });
    mkdirSync(join(rootDir, "other"));
    this.#mount = `mount --bind ${disk} ${join(rootDir, "other")}`;
  }

  override execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    const inside = `${this.#mount} && eval ${shellText(command)}`;
    return super.execute(`unshare -m /bin/sh -c ${shellText(inside)}`, options);
  }
}

test.runIf(canMount).each([
  { from: "/here", to: "/other" },
  { from: "/other", to: "/here" },
])("files and directories go from $from to $to, on another disk (needs root)", async (ends) => {
  const { from, to } = ends;
  const [root, disk] = [folder(tmpdir()), folder(OTHER_DISK)];
  const sandbox = new WithOtherDisk(root, disk);
  for (const name of ["a", "b", "tree/c", "tree/deep/d"])
    await sandbox.write(`${from}/${name}`, `${name}\n`);
  await sandbox.write(`${to}/b`, "old\n");

  expect(await sandbox.move(`${from}/b`, `${to}/b`)).toMatchObject({ code: "already_exists" });
  expect(await sandbox.move(`${from}/a`, `${to}/new/a`)).toEqual({ path: `${to}/new/a`, files: 1 });
  const over = await sandbox.move(`${from}/b`, `${to}/b`, { overwrite: true });
  expect(over).toEqual({ path: `${to}/b`, files: 1 });
  const tree = await sandbox.move(`${from}/tree`, `${to}/tree`);
  expect(tree).toEqual({ path: `${to}/tree`, files: 2 });

  const { files = [] } = await sandbox.glob("**/*", "/");
  expect(files.map(({ path }) => path.slice(to.length))).toEqual([
    "/b",
    "/new/a",
    "/tree/c",
    "/tree/deep/d",
  ]);
  for (const name of ["b", "new/a", "tree/c"])
    expect(await sandbox.read(`${to}/${name}`)).toMatchObject({
      content: `${name.replace("new/", "")}\n`,
    });
  expect(readdirSync(to === "/other" ? disk : join(root, "here")).toSorted()).toEqual([
    "b",
    "new",
    "tree",
  ]);
});
