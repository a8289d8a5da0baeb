import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { sortedPaths } from "../../model/text-rules.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { pathsOf } from "./paths-of.js";

/** Names that what is kept aside loses easily: a plain object, a list by number, a table of lines or columns. */
const NAMES =
  "__proto__ constructor length toString 0 -1 007 1e3 a:b a%20b a,b a;b [z] {} .h é 😀 null".split(
    " ",
  );
/** Changes of one file in a row: more than most logs hold before they are folded into a snapshot. */
const EDITS = 50;

/** What a client has done by the time another one begins: files by path. */
async function historyOf({ backend, check, profile }: CaseContext): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const write = async (path: string, text: string): Promise<void> => {
    check.succeeded(await backend.write(path, text), `write of ${JSON.stringify(path)}`, "W1");
    files.set(path, text);
  };
  for (const [n, name] of NAMES.entries()) {
    await write(`/d/${name}`, n % 4 === 0 ? "" : `hit ${n}\r\n\ufeffé😀\n`);
    await write(`/e/${name}/f`, `hit ${n}`);
  }
  await write("/counter", "0\n");
  for (const n of range(EDITS)) {
    const edited = await backend.edit("/counter", `${n}\n`, `${n + 1}\n`);
    check.succeeded(edited, "an edit", "E1");
  }
  files.set("/counter", `${EDITS}\n`);
  for (const name of NAMES.filter((_, n) => n % 3 === 0)) {
    const [path, to] = [`/e/${name}/f`, `/e/${name}/g/f`];
    if (profile.move) {
      check.succeeded(await backend.move(path, to), "a move", "M1");
      files.set(to, files.get(path) ?? "");
      files.delete(path);
    }
    if (!profile.delete) continue;
    check.succeeded(await backend.delete(`/d/${name}`), "a delete", "D1");
    files.delete(`/d/${name}`);
  }
  return files;
}

/** What a listing of a directory names, of all files below it. */
function entriesOf(directory: string, paths: readonly string[]): string[] {
  const below = paths.filter((path) => path.startsWith(`${directory}/`));
  const names = below.map((path) => path.slice(directory.length + 1).replace(/\/.*/, "/"));
  return sortedPaths(new Set(names.map((name) => `${directory}/${name}`)));
}

/** A7: every file is there for a client, and no other one. */
async function sees(
  context: CaseContext,
  client: GuardedBackend,
  files: ReadonlyMap<string, string>,
  whose: string,
): Promise<void> {
  const { check } = context;
  const paths = sortedPaths(files.keys());
  check.equal(
    pathsOf((await client.glob("**")).files),
    paths,
    `What glob finds for ${whose}`,
    "A7",
  );
  check.equal(
    pathsOf((await client.grep("hit")).matches),
    paths.filter((path) => files.get(path)?.startsWith("hit") === true),
    `What grep finds for ${whose}`,
    "A7",
  );
  for (const directory of ["/d", "/e"])
    check.equal(
      pathsOf((await client.ls(directory)).files),
      entriesOf(directory, paths),
      `What ls lists of ${directory} for ${whose}`,
      "A7",
    );
  for (const path of paths)
    check.equal(
      (await client.read(path)).content,
      files.get(path),
      `What read gives of ${path} for ${whose}`,
      "A7",
    );
  await context.holds(Object.fromEntries(files), client, "A7");
}

/** A7: a client that begins after many changes sees what is there, also after changes of its own. */
async function beginsLate(
  context: CaseContext,
  open: () => Promise<GuardedBackend>,
): Promise<void> {
  const { check } = context;
  const files = await historyOf(context);
  const client = await open();
  await sees(context, client, files, "a client that begins late");
  const edited = await client.edit("/counter", `${EDITS}\n`, "done\n");
  check.succeeded(edited, "the late client's edit", "E1");
  const written = await client.write("/d/new.txt", "hit\n");
  check.succeeded(written, "the late client's write", "W1");
  files.set("/counter", "done\n").set("/d/new.txt", "hit\n");
  await sees(context, client, files, "the late client after its changes");
}

/** Clients that begin when much has happened. */
export const lateClientCases: readonly Case[] = [
  {
    id: "peer/begins-late",
    rules: ["A7", "P3", "L1", "G1", "S1"],
    level: "safe",
    needs: ["peer", "consistency=strong", "atomicity=clients"],
    patience: 3,
    why: "A client that begins after many changes sees every file, whatever its name, and none that went.",
    hint: "A snapshot holds any name: use a Map, not a plain object, and no separators of your own.",
    run: (context) => beginsLate(context, () => context.peer()),
  },
  {
    id: "durable/begins-late",
    rules: ["A7", "P3", "L1", "G1", "S1"],
    level: "durable",
    needs: ["durable", "reopen"],
    patience: 3,
    why: "After a restart, and many changes before it, every file is there, whatever its name, and none that went.",
    hint: "A snapshot holds any name: use a Map, not a plain object, and no separators of your own.",
    run: (context) => beginsLate(context, () => context.reopen()),
  },
];
