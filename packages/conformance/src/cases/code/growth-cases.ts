import type { CaseContext } from "../../engine/case-context.js";
import { Eyes } from "../../eyes/eyes.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

/** Changes of one file in a row, and files made in a row: more than counters of one digit, of a small cache or of a page. */
const CHANGES = { quick: 160, full: 1200, soak: 5000 } as const;
/** Edits of one small file without a look between them: more than a chain of changes is long before it is folded. */
const EDITS = 520;
/** Versions of one file: more than a counter of one byte has. */
const MORE_THAN_A_BYTE = 260;
/** Files of one upload: more than a transaction, a pipeline or a pool of common storages takes at once. */
const BATCH = 33;
/** How many changes are made before everything is looked at. */
const BETWEEN_LOOKS = 35;

/** F2 and A7: the hundredth change of a file does what the first did. */
async function manyChanges(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const path = "/d/a.txt";
  const tree = new Map([
    [path, encoder.encode("n0.\n")],
    ["/d/b.txt", encoder.encode("other\n")],
  ]);
  await context.given({ [path]: "n0.\n", "/d/b.txt": "other\n" });
  const eyes = new Eyes(context);
  await eyes.prime(tree);
  const versions = new Set<string>();
  let { version } = await backend.read(path);
  for (const n of range(CHANGES[context.tier])) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const [old, text] = [`n${n}.`, `n${n + 1}.`];
    const condition =
      version !== undefined && profile.versions && n % 3 === 0 ? { ifVersion: version } : undefined;
    const what = `Change ${n}`;
    const answer = await (n % 5 === 1 && profile.multiEdit
      ? backend.multiEdit(path, [{ old, new: text }], condition)
      : n % 5 === 3 && profile.versions && version !== undefined
        ? backend.write(path, `${text}\n`, { ifVersion: version })
        : backend.edit(path, old, text, false, condition));
    check.succeeded(answer, what, "E1");
    tree.set(path, encoder.encode(`${text}\n`));
    const read = await backend.read(path);
    check.equal(read.content, `${text}\n`, `What read gives after change ${n}`, "A7");
    version = read.version;
    if (answer.version !== undefined)
      check.equal(answer.version, version, `The version that change ${n} answers`, "F3");
    if (version !== undefined) {
      check.that(
        !versions.has(version),
        `After change ${n} the version is ${JSON.stringify(version)}, which another content had.`,
        "F2",
      );
      versions.add(version);
    }
    if (n % BETWEEN_LOOKS === 0) await eyes.see(tree, `after change ${n}`);
  }
  await eyes.see(tree, "in the end");
  if (profile.transfer) await moreVersions(context, path, versions);
}

/** F2, W5: a counter of one byte repeats itself, and a version of several digits begins as an older one. */
async function moreVersions(
  context: CaseContext,
  path: string,
  versions: Set<string>,
): Promise<void> {
  const { backend, check, profile } = context;
  let last: string | undefined;
  for (let n = 0; versions.size < MORE_THAN_A_BYTE; n++) {
    if (context.signal.aborted) return;
    const [stored] = await backend.uploadFiles([[path, encoder.encode(`upload ${n}`)]]);
    last = (stored as { version?: string } | undefined)?.version;
    if (last === undefined) return;
    check.that(!versions.has(last), `Upload ${n} gives a version that was there before.`, "F2");
    versions.add(last);
  }
  if (!profile.versions || last === undefined) return;
  const half = Math.ceil(last.length / 2);
  const parts = [last.slice(0, -1), last.slice(0, half), last.slice(1), last.slice(half)];
  for (const ifVersion of new Set(parts)) {
    if (ifVersion === "" || ifVersion === last) continue;
    const what = `at ${JSON.stringify(ifVersion)}, a part of the version ${JSON.stringify(last)}`;
    const refused = ["conflict", "invalid_argument"];
    const edited = await backend.edit(path, "upload", "lost", false, { ifVersion });
    check.failed(edited, refused, `edit ${what}`, "W5");
    check.failed(await backend.write(path, "lost", { ifVersion }), refused, `write ${what}`, "W5");
    if (profile.delete)
      check.failed(await backend.delete(path, { ifVersion }), refused, `delete ${what}`, "W5");
  }
}

/** A7, E1: a number that edits count on. */
async function countedOn({ backend, check, signal }: CaseContext): Promise<void> {
  check.succeeded(await backend.write("/n.txt", "0."), "write", "W1");
  for (const n of range(EDITS)) {
    if (signal.aborted) return;
    check.succeeded(await backend.edit("/n.txt", `${n}.`, `${n + 1}.`), `edit ${n}`, "E1");
  }
  check.equal((await backend.read("/n.txt")).content, `${EDITS}.`, "What is read in the end", "A7");
}

/** L1, W1: the hundredth file is kept as the first was, whichever way it came. */
async function manyFiles(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const kept = new Map<string, string>();
  const count = CHANGES[context.tier];
  for (const n of range(count)) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const path = `/d/${n % 7 === 0 ? "sub/" : ""}${n}.txt`;
    const [old = ""] = [...kept.keys()].slice(-1);
    const text = `hit ${n}\n`;
    if (n % 6 === 2 && profile.copy) {
      check.succeeded(await backend.copy(old, path), `copy ${n}`, "M1");
      kept.set(path, kept.get(old) ?? "");
    } else if (n % 6 === 4 && profile.move) {
      check.succeeded(await backend.move(old, path), `move ${n}`, "M1");
      kept.set(path, kept.get(old) ?? "");
      kept.delete(old);
    } else {
      check.succeeded(await backend.write(path, text), `write ${n}`, "W1");
      kept.set(path, text);
    }
    if (n % 20 === 13 && profile.delete) {
      check.succeeded(await backend.delete(path), `delete ${n}`, "D1");
      kept.delete(path);
      check.failed(await backend.read(path), "not_found", `read of what delete ${n} removed`, "D1");
    }
  }
  if (profile.transfer) {
    const batch = range(BATCH).map((n): [string, string] => [`/d/batch${n}.txt`, `hit of ${n}\n`]);
    const answers = await backend.uploadFiles(
      batch.map(([path, text]) => [path, encoder.encode(text)]),
    );
    check.equal(
      answers.map(({ path, error }) => [path, error]),
      batch.map(([path]) => [path, null]),
      "The answers to a batch",
      "T1",
    );
    for (const [path, text] of batch) kept.set(path, text);
  }
  const paths = [...kept.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const globbed = (await backend.glob("**", "/d")).files?.map((file) => file.path);
  check.equal(globbed, paths, "What glob finds in the end", "G1");
  const found = (await backend.grep("hit", "/d")).matches?.map((match) => [match.path, match.text]);
  check.equal(
    found,
    paths.map((path) => [path, kept.get(path)?.trimEnd()]),
    "What grep finds in the end",
    "S1",
  );
  const listed = (await backend.ls("/d")).files?.map((file) => file.path);
  const top = paths.filter((path) => !path.startsWith("/d/sub/"));
  check.equal(
    listed,
    [...top, "/d/sub/"].toSorted((a, b) => (a < b ? -1 : 1)),
    "What ls lists in the end",
    "L1",
  );
  await context.holds(Object.fromEntries(kept));
}

/** What is right once must be right again and again. */
export const growthCases: readonly Case[] = [
  {
    id: "growth/many-changes",
    rules: ["A7", "F2", "F3", "E1", "E8", "W5"],
    level: "core",
    needs: ["consistency=strong"],
    patience: 3,
    why: "Over a hundred changes of one file each do what the first one did, and none gives a version that was there before.",
    hint: "Counters that wrap, logs that are compacted, caches that are full: look at what happens then.",
    run: manyChanges,
  },
  {
    id: "growth/counted-on",
    rules: ["A7", "E1"],
    level: "core",
    needs: ["consistency=strong"],
    patience: 3,
    why: "Hundreds of edits of one small file, one after the other, each find what the one before has made.",
    hint: "Where changes are kept as a chain, the newest one is folded into it too.",
    run: countedOn,
  },
  {
    id: "growth/many-files",
    rules: ["W1", "A7", "L1", "G1", "S1", "D1", "M1", "T1"],
    level: "core",
    needs: ["consistency=strong"],
    patience: 3,
    why: "Over a hundred files, made one after the other by every method that makes one, are all there in the end.",
    run: manyFiles,
  },
];
