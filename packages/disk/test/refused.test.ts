import { execFile } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { buildProjects } from "@fs/test-servers/built";
import { canFailCalls, failingCalls } from "@fs/test-servers/failing-calls";
import { beforeAll, describe, expect, test } from "vitest";
import { operationsOn } from "./fixtures/operations.mjs";
import { temporaryRoot } from "./temporary-root.js";

const run = promisify(execFile);
const OTHER_UID = 65534;

interface Outcome {
  readonly name: string;
  readonly code: string;
  readonly found: number;
  readonly warned: boolean;
}
interface Paths {
  readonly file: string;
  readonly made: string;
}

// The process that is refused runs the compiled package.
beforeAll(() => buildProjects("packages/disk"));

/** A tree for every operation, with one file. */
function makeTrees(paths: Paths, prepare: (root: string) => void = () => undefined): string {
  const trees = temporaryRoot();
  for (const name of Object.keys(operationsOn(trees, paths))) {
    const root = join(trees, name.replaceAll(" ", "-"));
    mkdirSync(dirname(join(root, paths.file)), { recursive: true });
    writeFileSync(join(root, paths.file), "needle\n");
    prepare(root);
  }
  return trees;
}

async function outcomesIn(
  trees: string,
  paths: Paths,
  { uid, env }: { uid?: number; env?: NodeJS.ProcessEnv },
): Promise<Outcome[]> {
  const fixture = join(import.meta.dirname, "fixtures", "refused.mjs");
  const task = JSON.stringify({ trees, paths, uid });
  const { stdout } = await run(process.execPath, [fixture, task], { env: env ?? process.env });
  return JSON.parse(stdout) as Outcome[];
}

/** Every tree is as it was, whatever was answered. */
function expectUntouched(trees: string, paths: Paths): void {
  for (const name of Object.keys(operationsOn(trees, paths))) {
    const root = join(trees, name.replaceAll(" ", "-"));
    expect([name, readFileSync(join(root, paths.file), "utf8")]).toEqual([name, "needle\n"]);
    expect([name, existsSync(join(root, paths.made))]).toEqual([name, false]);
  }
}

const isSearch = ({ name }: Outcome): boolean => name === "glob" || name.startsWith("grep");

describe.runIf(process.getuid?.() === 0)("as a user who may not look (needs root)", () => {
  const paths = { file: "/closed/file.txt", made: "/closed/new.txt" };
  const owned = (root: string, mode: number): void => {
    chmodSync(join(root, "closed"), mode);
    chmodSync(join(root, ".."), 0o755);
    chownSync(root, OTHER_UID, OTHER_UID);
  };

  test.each([0o700, 0o744])("a directory of mode %o: every call says so", async (mode) => {
    const trees = makeTrees(paths, (root) => owned(root, mode));
    const outcomes = await outcomesIn(trees, paths, { uid: OTHER_UID });
    expectUntouched(trees, paths);
    const searches = outcomes.filter(isSearch);
    const others = outcomes.filter((outcome) => !isSearch(outcome));
    expect(others.filter(({ code }) => code !== "permission_denied")).toEqual([]);
    // A search of a tree finds what may be read, and says that it is not all.
    expect(searches.filter(({ code, warned }) => code !== "ok" || !warned)).toEqual([]);
    expect(searches.length).toBeGreaterThan(3);
  });

  test("a directory that may be entered alone: nothing changes, and no listing is taken for all", async () => {
    const trees = makeTrees(paths, (root) => owned(root, 0o711));
    const outcomes = await outcomesIn(trees, paths, { uid: OTHER_UID });
    expectUntouched(trees, paths);
    const reads = ["read", "readRaw", "download"];
    for (const { name, code, warned, found } of outcomes) {
      if (reads.includes(name)) expect([name, code, found]).toEqual([name, "ok", 1]);
      else if (name === "glob" || name.startsWith("grep"))
        expect([name, code, warned]).toEqual([name, "ok", true]);
      else expect([name, code]).toEqual([name, "permission_denied"]);
    }
  });

  test("a directory that holds a closed one is copied whole or not at all", async () => {
    const root = temporaryRoot();
    for (const directory of ["d/open", "d/closed"]) {
      mkdirSync(join(root, directory), { recursive: true });
      writeFileSync(join(root, directory, "file.txt"), "needle\n");
    }
    for (const directory of [".", "d", "d/open"])
      chownSync(join(root, directory), OTHER_UID, OTHER_UID);
    chmodSync(join(root, "d/closed"), 0o700);
    const fixture = join(import.meta.dirname, "fixtures", "refused.mjs");
    const calls = [
      ["copy", "/d", "/e"],
      ["glob", "**"],
      ["delete", "/d"],
    ];
    const task = JSON.stringify({ trees: root, calls, uid: OTHER_UID });
    const { stdout } = await run(process.execPath, [fixture, task]);
    expect(JSON.parse(stdout)).toMatchObject([
      { code: "permission_denied" },
      { files: [{ path: "/d/open/file.txt" }], warnings: [expect.stringContaining("left out")] },
      { code: "permission_denied" },
    ]);
    expect(existsSync(join(root, "e"))).toBe(false);
    expect(existsSync(join(root, "d/closed/file.txt"))).toBe(true);
  });

  test("a file that may not be read: it is listed, and no search passes over it in silence", async () => {
    const trees = makeTrees(paths, (root) => {
      owned(root, 0o755);
      chmodSync(join(root, paths.file), 0o600);
    });
    for (const outcome of await outcomesIn(trees, paths, { uid: OTHER_UID })) {
      const { name, code, found, warned } = outcome;
      if (name === "ls" || name === "glob") expect([name, code, found]).toEqual([name, "ok", 1]);
      else if (isSearch(outcome)) expect([name, code, warned]).toEqual([name, "ok", true]);
      else expect([name, code]).toEqual([name, "permission_denied"]);
    }
  });
});

describe.runIf(canFailCalls)("where the system fails (needs Linux and a C compiler)", () => {
  const places: readonly (readonly [what: string, paths: Paths])[] = [
    ["directory", { file: "/faulty/file.txt", made: "/faulty/new.txt" }],
    ["file", { file: "/a/faulty.txt", made: "/a/new-faulty.txt" }],
  ];
  const { EACCES, EIO, ENFILE } = constants.errno;

  test.each(places)(
    "the %s cannot be reached: EIO and ENFILE are unavailable",
    async (what, paths) => {
      for (const errno of [EIO, ENFILE]) {
        const trees = makeTrees(paths);
        const outcomes = await outcomesIn(trees, paths, { env: failingCalls(errno) });
        expectUntouched(trees, paths);
        // The names and sizes in a directory can be known while a file in it cannot be opened.
        const known = what === "file" ? ["ls", "glob"] : [];
        for (const { name, code, found } of outcomes) {
          if (known.includes(name)) expect([name, code, found]).toEqual([name, "ok", 1]);
          else expect([name, code]).toEqual([name, "unavailable"]);
        }
      }
    },
  );

  test.each(places)("the %s is refused: EACCES is permission_denied", async (what, paths) => {
    const trees = makeTrees(paths);
    const outcomes = await outcomesIn(trees, paths, { env: failingCalls(EACCES) });
    expectUntouched(trees, paths);
    for (const outcome of outcomes) {
      const { name, code, found, warned } = outcome;
      if (what === "file" && (name === "ls" || name === "glob"))
        expect([name, code, found]).toEqual([name, "ok", 1]);
      else if (name === "glob" || name === "grep without ripgrep")
        expect([name, code, warned]).toEqual([name, "ok", true]);
      // ripgrep is another process, which is not refused here: it names the file, and reading it says more.
      else if (isSearch(outcome)) expect([name, code, warned]).toEqual([name, "ok", true]);
      else expect([name, code]).toEqual([name, "permission_denied"]);
    }
  });
});
