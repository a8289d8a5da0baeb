import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { afterEach, beforeEach, expect, test } from "vitest";

/** More than a removal of two directories takes. */
const MICROTASKS = 40;
const NAMES = ["a.txt", "sub/b.txt"];

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fs-removals-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a file that another program stores where a removal has been stays, at every step of it (A7)", async () => {
  const backend = new FilesystemBackend({ rootDir: root });
  let stored = 0;
  for (let step = 0; step < MICROTASKS; step++) {
    const hosts = NAMES.map((name) => join(root, String(step), name));
    mkdirSync(join(root, String(step), "sub"), { recursive: true });
    for (const host of hosts) writeFileSync(host, "old");
    const removing = backend.delete(`/${step}`);
    for (let n = 0; n < step; n++) await Promise.resolve();
    const free = hosts.filter((host) => existsSync(dirname(host)) && !existsSync(host));
    for (const host of free) writeFileSync(host, "new");
    expect(await removing).toEqual({ path: `/${step}` });
    for (const host of hosts) {
      const isThere = existsSync(host) && readFileSync(host, "utf8");
      expect([step, host, isThere]).toEqual([step, host, free.includes(host) && "new"]);
    }
    stored += free.length;
  }
  expect(stored).toBeGreaterThan(0);
});

test("what no listing shows goes also where it comes while its directory is emptied (D2)", async () => {
  const backend = new FilesystemBackend({ rootDir: root });
  for (let step = 0; step < MICROTASKS; step++) {
    const directory = join(root, String(step));
    mkdirSync(join(directory, "sub"), { recursive: true });
    writeFileSync(join(directory, "sub", "b.txt"), "old");
    const removing = backend.delete(`/${step}`);
    for (let n = 0; n < step; n++) await Promise.resolve();
    if (existsSync(directory)) mkdirSync(join(directory, "made", "empty"), { recursive: true });
    expect(await removing).toEqual({ path: `/${step}` });
    expect([step, existsSync(directory)]).toEqual([step, false]);
  }
});
