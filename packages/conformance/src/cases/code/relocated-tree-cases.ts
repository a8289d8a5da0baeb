import type { CaseContext } from "../../engine/case-context.js";
import { sortedPaths } from "../../model/text-rules.js";
import { hasFailed } from "../../engine/checker.js";
import type { Case } from "../case.js";

type Kind = "move" | "copy";

const MAX_PATH_BYTES = 4096;

/** Its files and the destination's are the same ones: each takes the place of the next. */
const CHAIN = { "/a/b/x.txt": "outer\n", "/a/b/b/x.txt": "inner\n", "/a/y.txt": "beside\n" };

async function overTheOneAbove(context: CaseContext, kind: Kind): Promise<void> {
  await context.given(CHAIN);
  const result = await context.backend[kind]("/a/b", "/a", { overwrite: true });
  context.check.failed(result, "invalid_argument", `${kind} of a directory over the one above it`);
  await context.holds(CHAIN, context.backend, "M2");
}

/** M2: what goes up has nothing to replace there: it arrives, also where its place is in the directory that it comes from. */
async function upToTheOneAbove(context: CaseContext, kind: Kind): Promise<void> {
  const { backend, check } = context;
  const others = { "/a/z.txt": "beside\n", "/c/z.txt": "beside\n" };
  const up = { "/a/b/x.txt": "x\n", "/a/b/sub/y.txt": "y\n" };
  const inward = { "/c/b/b/y.txt": "deep\n" };
  await context.given({ ...others, ...up, ...inward });
  for (const [from, to] of [
    ["/a/b", "/a"],
    ["/c/b", "/c"],
  ] as const) {
    const what = `${kind} of ${from} over ${to}, where nothing is in its way,`;
    check.succeeded(await backend[kind](from, to, { overwrite: true }), what, "M1");
  }
  const expected: Record<string, string> = {
    ...others,
    ...(kind === "copy" ? { ...up, ...inward } : {}),
    "/a/x.txt": "x\n",
    "/a/sub/y.txt": "y\n",
    "/c/b/y.txt": "deep\n",
  };
  await context.holds(expected, backend, "M1");
  const found = (await backend.glob("**")).files?.map(({ path }) => path);
  const wanted = sortedPaths(Object.keys(expected));
  check.equal(found, wanted, `All files after ${kind} of directories over those above`, "M2");
}

/** M1, M2: over the root a directory is merged as over any other, or refused where the root may not be touched. */
async function overTheRoot(context: CaseContext, kind: Kind): Promise<void> {
  const { backend, check } = context;
  const others = { "/z.txt": "beside\n" };
  const files = { "/e/t.txt": "top\n", "/e/f/u.txt": "below\n", "/e/e/v.txt": "inward\n" };
  await context.given({ ...others, ...files });
  const refusals = ["already_exists", "is_directory", "permission_denied"];
  for (const [from, options] of [["/e"], ["/z.txt"], ["/z.txt", { overwrite: true }]] as const) {
    const what = `${kind} of ${from} over / ${options === undefined ? "without" : "with"} overwrite`;
    check.failed(await backend[kind](from, "/", options), refusals, what, "M1");
    await context.holds({ ...others, ...files }, backend, "A7");
  }
  const result = await backend[kind]("/e", "/", { overwrite: true });
  const arrived = { "/t.txt": "top\n", "/f/u.txt": "below\n", "/e/v.txt": "inward\n" };
  const isDone = !hasFailed(result);
  if (!isDone)
    check.failed(result, ["permission_denied", "already_exists"], `${kind} over /`, "M1");
  const stays = !isDone || kind === "copy" ? files : {};
  const expected: Record<string, string> = { ...others, ...stays, ...(isDone ? arrived : {}) };
  await context.holds(expected, backend, "M2");
  const found = (await backend.glob("**")).files?.map(({ path }) => path);
  const wanted = sortedPaths(Object.keys(expected));
  check.equal(found, wanted, `All files after ${kind} of a directory over the root`, "M2");
}

/** M1, P4: a name in another case is another name. */
async function toAnotherCase(context: CaseContext, kind: Kind): Promise<void> {
  const { backend, check } = context;
  await context.given({ "/Docs/a.txt": "a\n", "/Docs/Sub/b.txt": "b\n", "/File.txt": "c\n" });
  for (const [from, to] of [
    ["/Docs", "/docs"],
    ["/File.txt", "/file.TXT"],
  ] as const)
    check.succeeded(await backend[kind](from, to), `${kind} of ${from} to ${to}`, "M1");
  const arrived = ["/docs/Sub/b.txt", "/docs/a.txt", "/file.TXT"];
  const stay = kind === "copy" ? ["/Docs/Sub/b.txt", "/Docs/a.txt", "/File.txt"] : [];
  const found = (await backend.glob("**")).files?.map(({ path }) => path);
  check.equal(found, sortedPaths([...stay, ...arrived]), `All files after ${kind}`, "M1");
  await context.holds({ "/docs/a.txt": "a\n", "/docs/Sub/b.txt": "b\n", "/file.TXT": "c\n" });
}

/** Levels of a directory: beyond those at which walks and requests are cut off. */
const LEVELS = [1, 8, 15, 16, 17, 31, 32, 33, 50, 64, 65];

/** M1, D1: files of all levels go along. */
async function deepDirectory(context: CaseContext, kind: Kind): Promise<void> {
  const { backend, check } = context;
  const names = LEVELS.map((level) => `${"/l".repeat(level)}/f${level}.txt`);
  const at = (top: string): Record<string, string> =>
    Object.fromEntries(names.map((name) => [top + name, `${name}\n`]));
  await context.given(at("/from"));
  check.succeeded(await backend[kind]("/from", "/to"), `${kind} of a deep directory`, "M1");
  const expected = { ...(kind === "copy" ? at("/from") : {}), ...at("/to") };
  await context.holds(expected, backend, "M1");
  const found = (await backend.glob("**")).files?.map(({ path }) => path);
  check.equal(found, sortedPaths(Object.keys(expected)), `All files after ${kind}`, "M1");
  if (!context.profile.delete) return;
  check.succeeded(await backend.delete("/to"), "delete of a deep directory", "D1");
  const left = (await backend.glob("**")).files?.map(({ path }) => path);
  const kept = kind === "copy" ? sortedPaths(Object.keys(at("/from"))) : [];
  check.equal(left, kept, "The files that are left by delete of a deep directory", "D1");
}

/** A directory of the given length as a path, in segments that are all allowed. */
function directoryOf(bytes: number): string {
  let path = "";
  for (let left = bytes; left > 0;) {
    // What is left after a segment is none, or enough for a slash and a name.
    const taken = left <= 200 ? left : Math.min(200, left - 2);
    path += `/${"b".repeat(taken - 1)}`;
    left -= taken;
  }
  return path;
}

async function pathsTooLong(context: CaseContext, kind: Kind): Promise<void> {
  const { pathBytes = MAX_PATH_BYTES } = context.profile.limits;
  const all: string[] = [];
  // The second time in characters of two bytes: it is bytes that count.
  for (const [directory, written] of [
    ["/a", (path: string) => path],
    ["/e", (path: string) => path.replaceAll("bb", "é")],
  ] as const) {
    const deep = directoryOf(pathBytes - directory.length - "/f".length);
    const long = `${directory}${written(deep)}/f`;
    const files = { [`${directory}/e.txt`]: "short\n", [long]: "long\n" };
    await context.given(files);
    const to = written(directoryOf(MAX_PATH_BYTES + 1 - deep.length - "/f".length));
    const result = await context.backend[kind](directory, to);
    context.check.failed(result, "invalid_path", `${kind} to where a path would be too long`, "P2");
    await context.holds(files, context.backend, "M1");
    const found = await context.backend.glob("**");
    const paths = found.files?.map(({ path }) => path);
    all.push(...Object.keys(files));
    context.check.equal(
      paths?.toSorted(),
      all.toSorted(),
      "The files that are there after it",
      "M1",
    );
  }
}

/** Directories that go or do not go where they are sent, because of what lies deep in them. */
export const relocatedTreeCases: readonly Case[] = (["move", "copy"] as const).flatMap(
  (kind): Case[] => [
    {
      id: `${kind}/over-the-one-above`,
      rules: ["M2", "A7"],
      level: "core",
      needs: [kind],
      why: `${kind} of a directory over the one that holds it, where its files would replace each other, is refused.`,
      hint: "Before anything is written, look whether the destination of one file is the source of another.",
      run: (context) => overTheOneAbove(context, kind),
    },
    {
      id: `${kind}/up-to-the-one-above`,
      rules: ["M1", "M2", "A7"],
      level: "core",
      needs: [kind],
      why: `${kind} of a directory over the one that holds it is made where none of its files would replace another of them, each file once.`,
      hint: "List the files before the first one is copied, and remove those that were listed, not the directory.",
      run: (context) => upToTheOneAbove(context, kind),
    },
    {
      id: `${kind}/over-the-root`,
      rules: ["M1", "M2", "A4", "A7"],
      level: "core",
      needs: [kind],
      why: `${kind} of a directory over the root puts its files there, or is refused and changes nothing.`,
      hint: "Below the root a path is '/' and the rest: '//a' is a key that no call reaches.",
      run: (context) => overTheRoot(context, kind),
    },
    {
      id: `${kind}/to-another-case`,
      rules: ["M1", "P4", "A7"],
      level: "core",
      needs: [kind],
      why: `${kind} of a file or a directory to its own name in another case is made as any other.`,
      hint: "Paths are compared as they are: what looks like one name to some disks is two.",
      run: (context) => toAnotherCase(context, kind),
    },
    {
      id: `${kind}/deep-directory`,
      rules: ["M1", "D1", "A7"],
      level: "core",
      needs: [kind],
      why: `${kind} of a directory takes the files of all its levels along.`,
      hint: "A walk ends where there are no more directories, not at a depth.",
      run: (context) => deepDirectory(context, kind),
    },
    {
      id: `${kind}/paths-too-long`,
      rules: ["M1", "P2", "A4", "A7"],
      level: "core",
      needs: [kind],
      why: `${kind} of a directory whose files would get paths that are too long is refused, and changes nothing.`,
      hint: "Check the path of every file at the destination before anything is written.",
      run: (context) => pathsTooLong(context, kind),
    },
  ],
);
