import type { CaseContext } from "../../engine/case-context.js";
import { sortedPaths } from "../../model/text-rules.js";
import type { Case } from "../case.js";
import { pathsOf } from "./paths-of.js";

/**
 * Names that some storage, shell, address or sanitiser reads as something else, one a line. Each is next to one it is
 * mistaken for.
 */
const NAMES: readonly string[] = [
  "a+b\na b\na%20b\na\u00a0b\na\u200bb\nab\na\u00adb\n\ufb01.txt\nfi.txt\nx\u00b2\nx2\n\u2160\nI\n\uff0f\n\uff0e\uff0e",
  "\ufeffmark\nmark\n\u202ebidi\n\u2066bidi\n\u0085next\n\u009f\n\ue000\n😀\n...\n....\n-rf\n--\n-n.txt\n007\n7\n1e3\n0x10\n+1",
  '~a\na~b\n.~\ncon\nNUL.txt\naux\ncom1\na<b\na>b\na|b\na"b\na:b\na?b\na*b\na@b\na=b\na;b\na&b\n`a`\n$(a)\n${a}\na,b\n(a)',
  "a\\b\na\\\\b\nC:\\w\n\\\ncost$$\ncost$\n$&\n$1\n$`\n100%\n%\n_\na_c\naxc\ncaf\u00e9\ncafe\u0301\nDocs\ndocs\n==\n+\n&",
  "REPORT~1.DOC\n~0\n~1\n~01\n&amp;\n&lt;\n&#65;\n\\u0041\n\\x41\n\\n\n=20\n=3D\n_x0041_\n%2F\n%00\n%252F\n+AC8-\nxn--caf-dma\nLw==\na\u2044b",
  "1.1\n1.10\n1.0\n1\n01\n1000\n1_000\n1.\n.5\n0.5\n-0\n0\nInfinity\nNaN\nnan\n12:30\n2026-01-01\n1e400\n0b1\n0o7",
  "*\na*\n?\na?\n\ufffd\na\ufffdb\n[a]\n{a}\n{}\n#a\n!a\ntrailing.\ntrailing \n leading\nnull\nundefined\ntrue\nhasOwnProperty\nlength",
].flatMap((names) => names.split("\n"));

/** What tools put beside files, or hide: here they are files. */
const TOOLS: readonly string[] = [
  ".git/config .svn/entries .hg/store .gitignore .gitkeep .keep .DS_Store node_modules/x/index.js dist/a.js build/a.o target/a",
  "vendor/a __pycache__/a.pyc .venv/pyvenv.cfg .cache/a .tmp/a a.tmp a.temp a.swp a.bak a.orig a~ a.lock yarn.lock #a# .#a",
  "constructor __proto__/x toString valueOf hasOwnProperty.txt prototype length",
  "x.constructor x.toString x.valueOf x.hasOwnProperty x.__proto__ .ignore .rgignore .dockerignore .npmignore .git/info/exclude",
  "~$a.docx Thumbs.db desktop.ini core .nfs01 .meta a.meta .metadata.json index.json manifest.json .version .directory",
].flatMap((names) => names.split(" "));

/** P3: each name is its own, in every view. */
async function ordinaryNames(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const paths = NAMES.map((name) => `/d/${name}`);
  for (const [n, path] of paths.entries())
    check.succeeded(
      await backend.write(path, `hit ${n}\n`),
      `write of ${JSON.stringify(path)}`,
      "P3",
    );
  const sorted = sortedPaths(paths);
  check.equal(pathsOf((await backend.ls("/d")).files), sorted, "What ls lists", "L3");
  check.equal(pathsOf((await backend.glob("*", "/d")).files), sorted, "What glob finds", "P3");
  check.equal(pathsOf((await backend.grep("hit", "/d")).matches), sorted, "What grep finds", "S3");
  for (const [n, path] of paths.entries())
    check.equal(
      (await backend.read(path)).content,
      `hit ${n}\n`,
      `What read gives of ${JSON.stringify(path)}`,
      "P3",
    );
  await inDirectories(context);
}

/** The same names as those of directories. */
async function inDirectories(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const paths = NAMES.map((name) => `/e/${name}/f`);
  for (const path of paths)
    check.succeeded(await backend.write(path, path), `write of ${JSON.stringify(path)}`, "P3");
  check.equal(
    (await backend.ls("/e")).files?.map(({ path }) => path),
    sortedPaths(NAMES.map((name) => `/e/${name}/`)),
    "The directories that ls lists",
    "L3",
  );
  for (const path of paths)
    check.equal(
      (await backend.ls(path.slice(0, -2))).files?.map((entry) => entry.path),
      [path],
      `What ls lists in ${JSON.stringify(path.slice(0, -2))}`,
      "P3",
    );
}

/** P3, M1: a directory goes to and from any name, and takes along what is in it, nothing else. */
async function relocated(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const given = Object.fromEntries(
    NAMES.flatMap((name, n) => [
      [`/from/${n}/x.txt`, `x ${n}\n`],
      [`/from/${n}/y/z.txt`, `z ${n}\n`],
    ]),
  );
  await context.given(given);
  const put = profile.move ? ("move" as const) : ("copy" as const);
  for (const [n, name] of NAMES.entries())
    check.succeeded(
      await backend[put](`/from/${n}`, `/to/${name}`),
      `${put} to ${JSON.stringify(name)}`,
      "P3",
    );
  const held = (top: string): Record<string, string> =>
    Object.fromEntries(
      NAMES.flatMap((name, n) => [
        [`${top}/${name}/x.txt`, `x ${n}\n`],
        [`${top}/${name}/y/z.txt`, `z ${n}\n`],
      ]),
    );
  await exactly(context, "/to", held("/to"));
  for (const name of NAMES)
    check.succeeded(
      await backend[put](`/to/${name}`, `/again/${name}`),
      `${put} from ${JSON.stringify(name)}`,
      "P3",
    );
  const there = held("/again");
  await exactly(context, "/again", there);
  if (!profile.delete) return;
  // Every second one first: what resembles it is next to it, and must stay.
  for (const parity of [0, 1]) {
    for (const name of NAMES.filter((_, n) => n % 2 === parity)) {
      const what = `delete of ${JSON.stringify(name)}`;
      check.succeeded(await backend.delete(`/again/${name}`), what, "D1");
      for (const file of ["x.txt", "y/z.txt"]) delete there[`/again/${name}/${file}`];
    }
    await exactly(context, "/again", there);
  }
}

/** Asserts that these files, and no others, are below a directory. */
async function exactly(
  context: CaseContext,
  directory: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const paths = sortedPaths(Object.keys(files));
  const found = pathsOf((await context.backend.glob("**", directory)).files) ?? [];
  context.check.equal(found, paths, `What is below ${directory}`, "P4");
  if (paths.length > 0) await context.holds(files, context.backend, "P4");
}

/** What a file of that name holds: one that names others names all of them. */
function contentOf(path: string): string {
  return /ignore$|exclude$/.test(path) ? "hit\n*\n**\n/d*/\n" : "hit\n";
}

/** G1, S3, L4: nothing is left out because of its name, or because another file names it. */
async function nothingLeftOut(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const paths = sortedPaths(TOOLS.map((name) => `/${name}`));
  await context.given(Object.fromEntries(paths.map((path) => [path, contentOf(path)])));
  check.equal(pathsOf((await backend.glob("**")).files), paths, "What glob finds", "G1");
  check.equal(pathsOf((await backend.grep("hit")).matches), paths, "What grep finds", "S3");
  const listed = (await backend.ls("/")).files?.map(({ path }) => path);
  const top = TOOLS.map((name) => `/${name.replace(/\/.*$/, "/")}`);
  check.equal(listed, sortedPaths(new Set(top)), "What ls lists", "L1");
  for (const path of paths)
    check.equal(
      (await backend.read(path)).content,
      contentOf(path),
      `What read gives of ${path}`,
      "R1",
    );
}

/** Characters that Unicode keeps for no text, and yet UTF-8 can hold. */
const NON_CHARACTERS = ["a\ufffe", "\uffff", "\ufdd0b", "\u{1fffe}", "\u{10ffff}"];

/** P3: they are characters of names like any other. */
async function nonCharacters(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const paths = sortedPaths(NON_CHARACTERS.map((name) => `/${name}`));
  for (const path of paths)
    check.succeeded(await backend.write(path, path), `write of ${JSON.stringify(path)}`, "P3");
  check.equal(pathsOf((await backend.ls("/")).files), paths, "What ls lists", "P4");
  for (const path of paths)
    check.equal((await backend.read(path)).content, path, "What read gives", "P3");
}

/** Names, each of which some software takes for something else. */
export const nameCases: readonly Case[] = [
  {
    id: "path/ordinary-names",
    rules: ["P3", "P4", "L3", "S3", "G1"],
    level: "core",
    needs: ["names.caseSensitive", "names.unicode=preserve"],
    patience: 2,
    why: "Whatever P2 does not refuse is an ordinary name, and another file than the name it resembles.",
    hint: "Do not decode, trim, normalise or reserve names. Encode them for the storage instead, so that each comes back.",
    run: ordinaryNames,
  },
  {
    id: "path/ordinary-names-relocated",
    rules: ["P3", "P4", "M1", "D1"],
    level: "core",
    needs: ["transfer", "copy", "names.caseSensitive", "names.unicode=preserve"],
    patience: 3,
    why: "A directory is moved or copied to any ordinary name, and from it, and removed, and no other is touched.",
    hint: "A name is no pattern: not of LIKE, of a replacement, of an expression. Compare what begins with the path and its slash.",
    run: relocated,
  },
  {
    id: "path/non-characters",
    rules: ["P3", "P4"],
    level: "core",
    needs: ["names.unicode=preserve"],
    why: "Code points that are no characters are ordinary in a name.",
    hint: "XML cannot hold them: ask for names in an encoding.",
    run: nonCharacters,
  },
  {
    id: "path/nothing-left-out",
    rules: ["P3", "G1", "S3", "L4", "L1", "R1", "R7"],
    level: "core",
    needs: ["transfer"],
    why: "Files named as tools name theirs, or named by a list of what to ignore, are listed, found, searched and read like any other.",
    hint: "Keep what is yours out of the agents' names altogether; ignore lists and hidden files are no rule here.",
    run: nothingLeftOut,
  },
];
