import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NearbyFiles } from "../src/search/nearby-files.js";
import { openTree } from "../src/tree/open-tree.js";
import type { Containment } from "../src/tree/tree.js";
import { temporaryRoot } from "./temporary-root.js";

const WAYS: readonly Containment[] = ["race-free", "best-effort"];

/** A directory `/d` with a file, beside one outside of the root. */
function place(): { root: string; outside: string } {
  const base = temporaryRoot();
  const [root, outside] = [join(base, "root"), join(base, "outside")];
  for (const directory of [join(root, "d"), outside]) mkdirSync(directory, { recursive: true });
  writeFileSync(join(root, "d/file"), "inside");
  writeFileSync(join(outside, "file"), "SECRET");
  return { root, outside };
}

describe.each(WAYS)("a file beside others, %s", (containment) => {
  test("is opened in its directory", () => {
    const { root } = place();
    const files = new NearbyFiles(openTree(root, containment), undefined);
    const file = files.open("/d/file");
    expect(file?.stats.size).toBe(6n);
    expect(readFileSync(file?.fd ?? -1, "utf8")).toBe("inside");
    closeSync(file?.fd ?? -1);
    files.close();
  });

  test.each([
    ["a link", (at: string, outside: string) => symlinkSync(join(outside, "file"), at)],
    ["a directory", (at: string) => mkdirSync(at)],
    ["a pipe", (at: string) => execFileSync("mkfifo", [at])],
    ["nothing", () => {}],
  ])("is left out when %s took its place", (_, put) => {
    const { root, outside } = place();
    const files = new NearbyFiles(openTree(root, containment), undefined);
    put(join(root, "d/new"), outside);
    expect(files.open("/d/new")).toBeUndefined();
    expect(files.open("/d/new/below")).toBeUndefined();
    files.close();
  });

  test("is left out when a socket took its place", async () => {
    const { root } = place();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, "d/socket"), resolve));
    const files = new NearbyFiles(openTree(root, containment), undefined);
    expect(files.open("/d/socket")).toBeUndefined();
    files.close();
    await new Promise((resolve) => server.close(resolve));
  });

  test("is never that of a directory outside that took the place of its own", () => {
    const { root, outside } = place();
    const files = new NearbyFiles(openTree(root, containment), undefined);
    closeSync(files.open("/d/file")?.fd ?? -1);
    renameSync(join(root, "d"), join(root, "moved"));
    symlinkSync(outside, join(root, "d"));
    const file = files.open("/d/file");
    // The descriptor still leads to the directory that was there, and a path leads nowhere.
    const found = file === undefined ? undefined : readFileSync(file.fd, "utf8");
    expect(found).toBe(containment === "race-free" ? "inside" : undefined);
    if (file !== undefined) closeSync(file.fd);
    files.close();
    expect(files.open("/d/file")).toBeUndefined();
    files.close();
  });
});

test("a search of a directory keeps one descriptor open, and none when it is over", () => {
  const { root } = place();
  for (let i = 0; i < 50; i++) writeFileSync(join(root, "d", `${i}`), "x");
  const before = readdirSync("/proc/self/fd").length;
  const files = new NearbyFiles(openTree(root), undefined);
  for (let i = 0; i < 50; i++) closeSync(files.open(`/d/${i}`)?.fd ?? -1);
  expect(readdirSync("/proc/self/fd").length - before).toBe(1);
  files.close();
  expect(readdirSync("/proc/self/fd").length).toBe(before);
});
