import type { LsResult } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import { countedSignal, requireNoneLeft } from "../../matrix/counted-signal.js";
import { range } from "../../races/race.js";
import type { Case, Tier } from "../case.js";
import { pathsOf } from "./paths-of.js";
import { hasFeature } from "./feature.js";

/** `count` directories of one file each, seen whole by every look from above. */
async function fullTree(context: CaseContext, count: number): Promise<void> {
  const { backend, check } = context;
  const width = String(count).length;
  const directories = range(count).map((n) => `/big/${String(n).padStart(width, "0")}/`);
  const paths = directories.map((directory) => `${directory}f.txt`);
  await context.given(Object.fromEntries(paths.map((path) => [path, "hit\n"])));
  check.equal(pathsOf((await backend.ls("/big")).files), directories, `ls of ${count} directories`);
  check.equal(pathsOf((await backend.ls("/")).files), ["/big/"], "ls of what is above them", "L1");
  for (const pattern of ["**", "**/*.txt", "big/*/f.*", "**/f.txt"]) {
    const { files, truncated } = await backend.glob(pattern);
    if (truncated === true && (files?.length ?? 0) < count) continue;
    check.equal(pathsOf(files), paths, `glob ${pattern} of ${count} files`, "G1");
  }
  const { matches, truncated } = await backend.grep("hit");
  if (truncated !== true || matches?.length === count)
    check.equal(pathsOf(matches), paths, `grep of ${count} files`, "S1");
}

/** A directory of `count` files, seen whole by every listing, and gone whole. */
async function fullDirectory(context: CaseContext, count: number): Promise<void> {
  const { backend, check } = context;
  const width = String(count).length;
  const paths = range(count).map((n) => `/big/${String(n).padStart(width, "0")}.txt`);
  await context.given({
    ...Object.fromEntries(paths.map((path) => [path, "hit\n"])),
    "/other.txt": "hit\n",
  });
  check.equal(pathsOf((await backend.ls("/big")).files), paths, `ls of ${count} entries`);
  const globbed = await backend.glob("big/*.txt");
  const grepped = await backend.grep("hit", "/big");
  for (const [what, { truncated }, found] of [
    ["glob", globbed, globbed.files],
    ["grep", grepped, grepped.matches],
  ] as const) {
    if (truncated === true)
      check.that((found?.length ?? 0) < count, `${what} says truncated, but it is complete.`, "A2");
    else check.equal(pathsOf(found), paths, `${what} of ${count} files`);
  }
  check.equal(
    pathsOf((await backend.ls("/")).files),
    ["/big/", "/other.txt"],
    `ls of the directory above ${count} entries`,
    "L1",
  );
  await largePages(context, paths);
  await noListeners(context);
  if (!context.profile.delete) return;
  check.succeeded(await backend.delete("/big"), `delete of ${count} files`);
  check.equal(pathsOf((await backend.ls("/")).files), ["/other.txt"], "What is left");
}

/** A8: looks of many pages have done with the signal. */
async function noListeners(context: CaseContext): Promise<void> {
  if (!context.profile.signals) return;
  const { backend } = context;
  const looks: ReadonlyArray<readonly [string, (signal: AbortSignal) => Promise<unknown>]> = [
    ["ls", (signal) => backend.ls("/big", { signal })],
    ["glob", (signal) => backend.glob("big/*.txt", "/", { signal })],
    ["grep", (signal) => backend.grep("hit", "/big", null, null, { signal })],
  ];
  for (const [what, look] of looks) {
    const counted = countedSignal();
    await look(counted.signal);
    await requireNoneLeft(context, counted, `after ${what} of a full directory`);
  }
}

/** L5: a page of almost everything, and one of half of it. */
async function largePages(context: CaseContext, paths: readonly string[]): Promise<void> {
  if (!hasFeature(context, "pages")) return;
  const { backend, check } = context;
  const middle = paths[Math.floor(paths.length / 2)] ?? "";
  // So that exactly as many are left as the page takes, where storages and software have their bounds.
  const exact = [1, 10, 32, 50, 64, 100, 128, 200, 250, 256, 500, 512, 1000]
    .filter((limit) => limit < paths.length)
    .map((limit) => ({ limit, after: paths.at(-limit - 1) ?? "" }));
  const all = [
    { limit: paths.length - 1 },
    { limit: paths.length },
    { limit: paths.length + 1 },
    { limit: 2 * paths.length },
    { limit: paths.length, after: middle },
    ...exact,
  ];
  for (const options of all) {
    const { after } = { after: "", ...options };
    const expected = paths.filter((path) => path > after).slice(0, options.limit);
    for (const [method, args] of [
      ["ls", ["/big", options]],
      ["glob", ["*", "/big", options]],
    ] as const) {
      const { files, truncated } = (await backend.call(method, args)) as LsResult;
      const what = `a page of ${options.limit} of ${paths.length} entries of ${method}`;
      check.equal(pathsOf(files), expected, what, "L5");
      const isPart = after === "" && options.limit < paths.length;
      check.equal(truncated === true, isPart, `'truncated' of ${what}`, "L5");
    }
  }
}

function treeCase(count: number, tier: Tier): Case {
  return {
    id: `scale/tree-${count}`,
    rules: ["L1", "A2", "G1", "S1", "S3"],
    level: "core",
    needs: ["transfer"],
    tier,
    patience: 3,
    why: `${count} directories are listed, and what is in them is found and searched completely, or the answer says truncated.`,
    hint: "A listing of all keys below a prefix has pages too, and a directory may lie on two of them.",
    run: (context) => fullTree(context, count),
  };
}

function directoryCase(count: number, tier: Tier): Case {
  return {
    id: `scale/directory-${count}`,
    rules: ["L1", "A2", "L3", "L5", "G1", "S1", "S3", "D1", "D2"],
    level: "core",
    needs: ["transfer"],
    tier,
    patience: count > 2000 ? 15 : 3,
    why: `A directory of ${count} files is listed, found, searched and removed completely, or says truncated.`,
    hint: "Storages list in pages of 100 or 1000: go on until the last page.",
    run: (context) => fullDirectory(context, count),
  };
}

/** Directories of more entries than a storage lists at once. */
export const fullDirectoryCases: readonly Case[] = [
  directoryCase(101, "quick"),
  directoryCase(1001, "quick"),
  treeCase(1005, "quick"),
  ...[99, 100, 999, 1000].map((count) => directoryCase(count, "full")),
  directoryCase(10_001, "full"),
];
