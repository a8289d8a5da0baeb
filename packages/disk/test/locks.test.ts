import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  lstatSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { buildProjects } from "@fs/test-servers/built";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { FilesystemBackend } from "../src/filesystem-backend.js";
import { withLocks } from "../src/lock/file-lock.js";
import { LEASE } from "../src/lock/lease.js";
import { lockDirectory } from "../src/lock/lock-directory.js";
import { temporaryRoot } from "./temporary-root.js";

// The holders that are killed run the compiled package.
beforeAll(() => buildProjects("packages/disk"));

const holder = join(import.meta.dirname, "fixtures", "hold-lock.mjs");

/** Where the lock of a key is. */
function lockOf(key: string): string {
  const name = createHash("sha256").update(key).digest("hex").slice(0, 40);
  return join(lockDirectory().path, name);
}

/** What a file's lock is called. */
function keyOf(root: string, name: string): string {
  const { dev, ino } = statSync(root, { bigint: true });
  return `${dev}:${ino}/${name}`;
}

async function edited(rootDir: string): Promise<unknown> {
  const answer = await new FilesystemBackend({ rootDir }).edit("/f.txt", "old", "new");
  return answer.error;
}

describe("a lock is taken again", () => {
  test("after a cleaner of temporary files has removed the owner's file", async () => {
    const root = temporaryRoot();
    writeFileSync(join(root, "f.txt"), "old");
    rmSync(lockDirectory().ownerFile);
    expect(await edited(root)).toBeUndefined();
    expect(existsSync(lockDirectory().ownerFile)).toBe(true);
  });

  test("after a terminated thread has held it, at once", async () => {
    const root = temporaryRoot();
    writeFileSync(join(root, "f.txt"), "old");
    const worker = new Worker(holder, { workerData: { key: keyOf(root, "f.txt") } });
    await once(worker, "message");
    expect(existsSync(lockOf(keyOf(root, "f.txt")))).toBe(true);
    await worker.terminate();
    expect(await edited(root)).toBeUndefined();
  });

  const namespaces = spawnSync("unshare", ["--pid", "--fork", "true"]).status === 0;
  test.runIf(namespaces)(
    "after its holder was killed in another process namespace, when the lease is over",
    async () => {
      const root = temporaryRoot();
      writeFileSync(join(root, "f.txt"), "old");
      const child = spawn(
        "unshare",
        [
          "--pid",
          "--fork",
          "--mount-proc",
          "--kill-child",
          process.execPath,
          holder,
          keyOf(root, "f.txt"),
        ],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      onTestFinished(() => {
        child.kill("SIGKILL");
      });
      await once(child.stdout, "data");
      child.kill("SIGKILL");
      await once(child, "exit");
      const lock = lockOf(keyOf(root, "f.txt"));
      expect(existsSync(lock)).toBe(true);
      expect(await edited(root)).toBeUndefined();
      expect(existsSync(lock)).toBe(false);
    },
  );
});

test("a lock that was broken and is another's is left to it", async () => {
  const { path, self } = lockDirectory();
  const other = join(path, `owner-${self.pid}-00ff`);
  writeFileSync(other, "another's");
  onTestFinished(() => rmSync(other, { force: true }));
  const lock = lockOf("lost meanwhile");
  await withLocks(["lost meanwhile"], undefined, () => {
    rmSync(lock);
    linkSync(other, lock);
  });
  expect(lstatSync(lock).ino).toBe(lstatSync(other).ino);
  rmSync(lock);
});

test("a lock that names no owner holds for its lease, and no longer", async () => {
  const root = temporaryRoot();
  writeFileSync(join(root, "f.txt"), "old");
  const { path } = lockDirectory();
  const stranger = join(path, "owner-stranger");
  writeFileSync(stranger, "another version's");
  onTestFinished(() => rmSync(stranger, { force: true }));
  linkSync(stranger, lockOf(keyOf(root, "f.txt")));
  // However old its file is: the lease counts from the first look.
  utimesSync(stranger, 1, 1);
  let done = false;
  const edit = edited(root).then((error) => {
    done = true;
    return error;
  });
  await new Promise((resolve) => {
    setTimeout(resolve, LEASE / 2);
  });
  expect(done).toBe(false);
  expect(await edit).toBeUndefined();
});
