import { expect, test } from "vitest";
import type { StoredFile } from "../src/file-data.js";
import { FileTree } from "../src/file-tree.js";

const file = (content: string): StoredFile => ({ content, mimeType: "text/plain" });
/** Names that sort differently with a slash behind them, and a file where a directory is, as other programs may leave one. */
const PATHS = [
  "/d/a",
  "/d/a/x",
  "/d/a-b",
  "/d/a.b/c",
  "/d/a0",
  "/d/b/1",
  "/d/b/2/3",
  "/d/b",
  "/e/f",
];
const recordOf = (paths: readonly string[]): Record<string, StoredFile> =>
  Object.fromEntries(paths.map((path) => [path, file(path)]));
const below = (paths: readonly string[], directory: string): string[] =>
  paths.filter((path) => path.startsWith(`${directory}/`)).toSorted();

test.each([
  ["in order", PATHS],
  ["backwards", PATHS.toReversed()],
])("what lies below a directory is the same whether all was sorted or not, %s", (_, paths) => {
  const unsorted = FileTree.of(recordOf(paths));
  const sorted = FileTree.of(recordOf(paths));
  sorted.paths();
  for (const directory of ["/d", "/d/a", "/d/a.b", "/d/b", "/d/b/2", "/e", "/none"]) {
    expect(unsorted.below(directory)).toEqual(below(paths, directory));
    expect(sorted.below(directory)).toEqual(below(paths, directory));
  }
});

test("a fork sees its own changes below a directory, and those of its base", () => {
  const base = FileTree.of(recordOf(PATHS));
  base.paths();
  const fork = base.fork();
  fork.delete("/d/a-b");
  fork.delete("/d/b/2/3");
  fork.set("/d/b/0", file("new"));
  fork.set("/d/n/m", file("new"));
  const now = [...PATHS, "/d/b/0", "/d/n/m"].filter(
    (path) => path !== "/d/a-b" && path !== "/d/b/2/3",
  );
  expect(fork.below("/d")).toEqual(below(now, "/d"));
  expect(fork.below("/d/b")).toEqual(below(now, "/d/b"));
  expect(fork.below("/")).toEqual(now.toSorted());
  expect(base.below("/d")).toEqual(below(PATHS, "/d"));
});

test("a file that goes where a directory is leaves the directory, and the other way round", () => {
  const fileGone = FileTree.of(recordOf(PATHS)).fork();
  fileGone.delete("/d/a");
  expect(fileGone.below("/d")).toEqual(below(PATHS, "/d").filter((path) => path !== "/d/a"));
  const directoryGone = FileTree.of(recordOf(PATHS)).fork();
  directoryGone.delete("/d/a/x");
  expect(directoryGone.below("/d")).toEqual(below(PATHS, "/d").filter((path) => path !== "/d/a/x"));
  expect(directoryGone.children("/d")?.get("a")).toEqual(file("/d/a"));
});

test("a file is found without a look at all the others", () => {
  let looks = 0;
  const record = new Proxy(recordOf(PATHS), {
    ownKeys: (target) => {
      looks++;
      return Reflect.ownKeys(target);
    },
  });
  const tree = FileTree.of(record);
  expect(tree.file("/d/a0")).toEqual(file("/d/a0"));
  expect(tree.fork().file("/d/none")).toBeUndefined();
  expect(looks).toBe(0);
  expect([...(tree.children("/e") ?? [])].map(([name]) => name)).toEqual(["f"]);
  expect(tree.isDirectory("/d/b")).toBe(true);
  expect(looks).toBe(1);
});

test("a settled tree knows its directories, whether its base had been asked for them or not", () => {
  for (const asked of [true, false]) {
    const base = FileTree.of(recordOf(PATHS));
    if (asked) base.children("/d");
    const fork = base.fork();
    fork.set("/n/m", file("new"));
    const settled = fork.settle({ ...recordOf(PATHS), "/n/m": file("new") });
    expect([...(settled.children("/") ?? [])].map(([name]) => name).toSorted()).toEqual([
      "d",
      "e",
      "n",
    ]);
    expect(settled.below("/n")).toEqual(["/n/m"]);
  }
});
