import type { CaseContext } from "../../engine/case-context.js";
import { sortedPaths } from "../../model/text-rules.js";
import type { Case } from "../case.js";

/** What storages put between the names of a path, where not a slash. */
const SEPARATORS = [".", ":", "-", "_", "__", "--", "|", ",", " ", "\\", "%2F", "%", "+", "~", "="];

const MAX_PATH_BYTES = 4096;
/** Bytes after which indexes, keys and names of common storages are cut. */
const PREFIXES = [128, 255, 512, 767, 1000, 1024, 2048, 4000];

/** P3: a name that holds what a storage joins names with is one name. */
async function joined(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const directories = ["/d/a/b", ...SEPARATORS.map((separator) => `/d/a${separator}b`)];
  const paths = [
    ...directories.map((directory) => `${directory}/c.txt`),
    ...SEPARATORS.map((separator) => `/d/a/b${separator}c.txt`),
    ...SEPARATORS.map((separator) => `/d/a${separator}b${separator}c.txt`),
  ];
  const files = Object.fromEntries(paths.map((path) => [path, `hit ${path}\n`]));
  await context.given(files);
  const sorted = sortedPaths(paths);
  const found = (await backend.glob("**")).files?.map(({ path }) => path);
  check.equal(found, sorted, "What glob finds", "G1");
  const matches = (await backend.grep("hit")).matches?.map(({ path }) => path);
  check.equal(matches, sorted, "What grep finds", "S3");
  await context.holds(files, backend, "P3");
  const contents = await Promise.all(paths.map(async (path) => (await backend.read(path)).content));
  check.equal(contents, Object.values(files), "What read gives of each", "P3");
  for (const directory of directories.slice(1)) {
    const { files: listed } = await backend.ls(directory);
    const what = `What ls lists in ${JSON.stringify(directory)}`;
    check.equal(
      listed?.map(({ path }) => path),
      [`${directory}/c.txt`],
      what,
      "L1",
    );
  }
  if (!context.profile.delete) return;
  check.succeeded(await backend.delete("/d/a/b"), "delete of a directory", "D1");
  await context.holds({ ...files, "/d/a/b/c.txt": null }, backend, "D1");
}

/** A path that begins with so many bytes, which are the same in all, and ends as given. */
function longPath(bytes: number, end: string): string {
  const names = Math.ceil(bytes / 200);
  const whole = Array.from({ length: names }, () => "n".repeat(199)).join("/");
  return `/${whole.slice(0, bytes - 1)}`.replace(/\/$/, "n") + end;
}

/** P4: paths are compared to their last byte, however long they are. */
async function longApart(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const { pathBytes = MAX_PATH_BYTES } = context.profile.limits;
  const prefixes = PREFIXES.filter((bytes) => bytes + "/x/c.txt".length <= pathBytes);
  const paths = prefixes.flatMap((bytes) => [
    ...["x", "y"].map((end) => longPath(bytes, end)),
    ...["v", "w"].map((end) => longPath(bytes, `${end}/c.txt`)),
  ]);
  const files = Object.fromEntries(paths.map((path, n) => [path, `hit ${n}\n`]));
  await context.given(files);
  await context.holds(files, backend, "P4");
  const found = (await backend.glob("**")).files?.map(({ path }) => path);
  check.equal(found, sortedPaths(paths), "What glob finds", "G1");
  for (const path of paths.filter((_, n) => n % 2 === 0)) {
    const edited = await backend.edit(path, "hit", "edited");
    check.succeeded(edited, `edit of a path of ${path.length} bytes`, "P4");
    files[path] = `edited${files[path]?.slice("hit".length)}`;
  }
  await context.holds(files, backend, "P4");
  if (!context.profile.delete) return;
  const gone = paths.filter((_, n) => n % 2 === 0);
  for (const path of gone)
    check.succeeded(await backend.delete(path), `delete of ${path.length} bytes`, "D1");
  const left = Object.fromEntries(paths.map((path) => [path, files[path] ?? null]));
  for (const path of gone) left[path] = null;
  await context.holds(left, backend, "D1");
}

/** Paths that only careless keys make one. */
export const apartCases: readonly Case[] = [
  {
    id: "path/joined-names",
    rules: ["P3", "P4", "L1", "G1", "S3", "D1"],
    level: "core",
    needs: ["names.caseSensitive"],
    patience: 2,
    why: "A name that holds the character with which a storage joins names is still one name.",
    hint: "Escape the separator in each name before names are joined, or join them with the slash, which no name holds.",
    run: joined,
  },
  {
    id: "path/long-paths-apart",
    rules: ["P4", "P2", "G1", "D1"],
    level: "core",
    needs: [],
    patience: 2,
    why: "Long paths that differ only in their last bytes are different files.",
    hint: "Compare and index whole paths: a prefix of a key, or a name that is cut, makes two of them one.",
    run: longApart,
  },
];
