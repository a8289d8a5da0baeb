import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();
const OVER = { overwrite: true };

/** A change of `sub/a.txt` below a directory, which leaves as many files there as there were. */
type Change = readonly [what: string, change: (top: string) => Promise<Answered | undefined>];

function changesOf({ backend, check, profile }: CaseContext): Change[] {
  const upload = async (...paths: string[]): Promise<Answered | undefined> => {
    const files = paths.map((path, n): [string, Uint8Array] => [
      path,
      encoder.encode(`uploaded ${n}\n`),
    ]);
    return (await backend.uploadFiles(files)).find(({ error }) => error != null) ?? {};
  };
  const changes: Change[] = [
    ["no change", async () => ({})],
    ["an edit", (top) => backend.edit(`${top}/sub/a.txt`, "old", "new")],
    ["an upload over it", (top) => upload(`${top}/sub/a.txt`)],
    ["an upload that names it twice", (top) => upload(`${top}/sub/a.txt`, `${top}/sub/a.txt`)],
  ];
  if (profile.collisions === "refused")
    changes.push([
      "a refused write",
      async (top) => {
        check.failed(await backend.write(`${top}/sub`, "lost"), "is_directory", "write", "W2");
        return {};
      },
    ]);
  for (const kind of ["copy", "move"] as const)
    if (profile[kind])
      changes.push(
        [
          `a ${kind} over it`,
          (top) => backend[kind](`/from${top}/a.txt`, `${top}/sub/a.txt`, OVER),
        ],
        [
          `a ${kind} of a directory over its own`,
          (top) => backend[kind](`/from${top}`, `${top}/sub`, OVER),
        ],
        [
          `a ${kind} of a directory over the one above`,
          (top) => backend[kind](`/from-above${top}`, top, OVER),
        ],
      );
  if (profile.move)
    changes.push([
      "a move away and back",
      async (top) => {
        check.succeeded(await backend.move(`${top}/sub`, `${top}-away`), "move away");
        return backend.move(`${top}-away`, `${top}/sub`);
      },
    ]);
  return changes;
}

/** D2: a directory is there for as long as a file is, whatever that file went through. */
async function lastOfChanged(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const changes = changesOf(context).map(([what, change], n) => [what, change, `/t${n}`] as const);
  await context.given(
    Object.fromEntries([
      ["/keep.txt", "kept\n"],
      ...changes.flatMap(([, , top]) => [
        [`${top}/sub/a.txt`, "old\n"],
        [`${top}/sub/b.txt`, "beside\n"],
        [`/from${top}/a.txt`, "copied\n"],
        [`/from-above${top}/sub/a.txt`, "copied\n"],
      ]),
    ]),
  );
  for (const [what, change, top] of changes) {
    check.succeeded((await change(top)) ?? {}, what);
    check.succeeded(await backend.delete(`${top}/sub/a.txt`), `delete after ${what}`, "D1");
    const left = (await backend.ls(top)).files?.map(({ path }) => path);
    check.equal(left, [`${top}/sub/`], `What is left after ${what} and a removal`, "L1");
    check.succeeded(await backend.delete(`${top}/sub/b.txt`), `delete after ${what}`, "D1");
    for (const directory of [`${top}/sub`, top])
      check.failed(
        await backend.ls(directory),
        "not_found",
        `ls of ${directory} after ${what} and the removal of all its files`,
        "D2",
      );
  }
  for (const directory of ["/from", "/from-above"])
    check.succeeded(await backend.delete(directory), `delete of ${directory}`, "D1");
  const all = (await backend.ls("/")).files?.map(({ path }) => path);
  check.equal(all, ["/keep.txt"], "What ls lists in the end", "D2");
}

/** Directories that nothing is left in. */
export const ghostCases: readonly Case[] = [
  {
    id: "delete/last-of-what-changed",
    rules: ["D2", "D1", "L1", "L4"],
    level: "core",
    needs: ["transfer", "delete", "directories=implicit"],
    why: "A directory is gone with its last file, and not before, whatever its files went through: edits, uploads over them, merges.",
    hint: "What counts the files of a directory must count a replaced one once.",
    run: lastOfChanged,
  },
];
