import { mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { buildProjects } from "@fs/test-servers/built";
import type { VolumeHit } from "@fs/protocol/author";
import { beforeAll, expect, test } from "vitest";
import { scanInWorker } from "../src/search/scan-in-worker.js";
import { describeTree, openTree } from "../src/tree/open-tree.js";
import { temporaryRoot } from "./temporary-root.js";

// The search thread runs the compiled package.
beforeAll(() => buildProjects("packages/disk"));

const FILES = 300;
/** Lines of a file: more than a batch holds. */
const LINES = 300;

function searched(): { root: string; batches: AsyncGenerator<readonly VolumeHit[]> } {
  const root = temporaryRoot();
  mkdirSync(join(root, "d"));
  for (let i = 0; i < FILES; i++)
    writeFileSync(join(root, "d", `${1000 + i}`), "needle\n".repeat(LINES));
  const request = {
    tree: describeTree(openTree(root)),
    pattern: { source: "needle", regex: false, ignoreCase: false },
    root: "/",
    start: "/",
    glob: undefined,
    limit: Infinity,
    after: undefined,
  };
  return { root, batches: scanInWorker(request, undefined, undefined) };
}

test("a search thread waits for its reader, and finds all that is left when it goes on", async () => {
  const { root, batches } = searched();
  const files = new Set<string>();
  const first = await batches.next();
  for (const { path } of first.value ?? []) files.add(path);
  // Long enough to read all of it, were nothing in the way.
  await delay(1000);
  for (let i = 50; i < FILES; i++) unlinkSync(join(root, "d", `${1000 + i}`));
  for await (const hits of batches) for (const { path } of hits) files.add(path);
  expect(files.size).toBe(50);
});

test("a search thread that waits ends with its reader", async () => {
  const { batches } = searched();
  await batches.next();
  await delay(300);
  expect(await batches.return(undefined)).toEqual({ done: true, value: undefined });
});

test("a search thread finds every line, however slowly it is read", async () => {
  const { batches } = searched();
  let found = 0;
  for await (const hits of batches) {
    found += hits.length;
    if (found % 7 === 0) await delay(1);
  }
  expect(found).toBe(FILES * LINES);
});
