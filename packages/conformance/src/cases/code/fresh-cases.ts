import { setImmediate as turn } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import { lookingBeside, race, range } from "../../races/race.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();
const ROUNDS = { quick: 4, full: 30, soak: 200 } as const;

/** One way to look at a file: what it shows of a text, or `undefined` where the file is not there. */
type View = readonly [name: string, look: (path: string) => Promise<unknown>];

function sizeIn(
  { files }: { files?: ReadonlyArray<{ path: string; size?: number }> | undefined },
  path: string,
): unknown {
  return files?.find((entry) => entry.path === path)?.size;
}

/** Every view of one file, as a text or as the little that it shows of one. All texts here are one line of six bytes. */
function viewsOf({ backend, profile }: CaseContext): View[] {
  const views: View[] = [
    ["read", async (path) => (await backend.read(path)).content],
    ["readRaw", async (path) => (await backend.readRaw(path)).data?.content],
    ["ls", async (path) => sizeIn(await backend.ls(path.replace(/\/[^/]*$/, "")), path)],
    ["glob", async (path) => sizeIn(await backend.glob("**", "/f"), path)],
    [
      "grep",
      async (path) =>
        (await backend.grep("t", "/f")).matches?.find((match) => match.path === path)?.text,
    ],
  ];
  if (profile.transfer)
    views.push([
      "downloadFiles",
      async (path) => (await backend.downloadFiles([path]))[0]?.content ?? undefined,
    ]);
  if (backend.has("stat"))
    views.push([
      "stat",
      async (path) =>
        ((await backend.call("stat", [path])) as { info?: { size?: number } }).info?.size,
    ]);
  return views;
}

function shownBy(view: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (view === "ls" || view === "glob" || view === "stat") return encoder.encode(text).length;
  if (view === "downloadFiles") return encoder.encode(text);
  return view === "grep" ? text.trimEnd() : text;
}

interface Change {
  readonly name: string;
  /** What the file holds afterwards; `undefined` where it is gone. */
  readonly text: string | undefined;
  readonly run: () => Promise<unknown>;
}

/** Changes of one file in a row. Those that replace keep its size, which no cache may take for a proof. */
function changesOf({ backend, profile }: CaseContext, path: string, round: number): Change[] {
  const n = round % 10;
  const upload = (text: string) => async (): Promise<unknown> =>
    (await backend.uploadFiles([[path, encoder.encode(text)]]))[0];
  return [
    { name: "edit", text: `t1 ${n}.\n`, run: () => backend.edit(path, "t0", "t1") },
    ...(profile.multiEdit
      ? [
          {
            name: "multiEdit",
            text: `t2 ${n}.\n`,
            run: () => backend.multiEdit(path, [{ old: "t1", new: "t2" }]),
          },
        ]
      : []),
    ...(profile.transfer
      ? [{ name: "uploadFiles", text: `t3 ${n}.\n`, run: upload(`t3 ${n}.\n`) }]
      : []),
    ...(profile.delete
      ? [
          { name: "delete", text: undefined, run: () => backend.delete(path) },
          {
            name: "write",
            text: `t4 ${n} long.\n`,
            run: () => backend.write(path, `t4 ${n} long.\n`),
          },
        ]
      : []),
    ...(profile.move
      ? [{ name: "move", text: undefined, run: () => backend.move(path, `${path}.moved`) }]
      : []),
  ];
}

/** Looks that began before a change, and looks while it runs, must not be what later looks are answered with. */
async function beside(context: CaseContext): Promise<void> {
  const { check } = context;
  const views = viewsOf(context);
  for (const round of range(ROUNDS[context.tier])) {
    if (context.signal.aborted) return;
    const path = `/f/${round}/a.txt`;
    await context.given({ [path]: `t0 ${round % 10}.\n`, [`/f/${round}/b.txt`]: "t\n" });
    for (const { name, text, run } of changesOf(context, path, round)) {
      context.transcript.clear();
      const lookAtAll = async (): Promise<void> => {
        await Promise.all(views.map(([, look]) => look(path)));
      };
      const change = async (enough: () => void): Promise<void> => {
        const answer = await run();
        enough();
        check.that(!hasFailed(answer as object), `${name} should have succeeded.`, "A7");
        for (const [view, look] of views)
          check.equal(
            await look(path),
            shownBy(view, text),
            `What ${view} shows after ${name}, beside which others looked`,
            "A7",
          );
      };
      const later = async (): Promise<void> => {
        for (const _ of range(round % 3)) await turn();
        await lookingBeside(context, lookAtAll, change);
      };
      await race([lookAtAll, later]);
    }
  }
}

/** Paths that mean the same, each written in another way. */
const SPELLINGS: ReadonlyArray<(path: string) => string> = [
  (path) => path,
  (path) => path.replace("/f/", "//f//"),
  (path) => path.replace("/f/", "/./f/./"),
];

/** P1: whatever way a path is written, what is known of it is known of the file. */
async function asWritten(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const path = "/f/0/a.txt";
  await context.given({ [path]: "t0 0.\n", "/f/0/b.txt": "t\n" });
  const folders = ["/f/0", "/f/0/", "//f/0//", "/f/./0"];
  const look = async (text: string | undefined, when: string): Promise<void> => {
    for (const spelt of SPELLINGS.map((spell) => spell(path))) {
      const read = await backend.read(spelt);
      const { data } = await backend.readRaw(spelt);
      check.equal(read.content, text, `What read gives of ${spelt} ${when}`, "P1");
      check.equal(data?.content, text, `What readRaw gives of ${spelt} ${when}`, "P1");
    }
    const expected = text === undefined ? ["/f/0/b.txt"] : [path, "/f/0/b.txt"];
    for (const folder of folders) {
      const listed = (await backend.ls(folder)).files?.map((entry) => entry.path);
      check.equal(listed, expected, `What ls lists of ${folder} ${when}`, "P1");
      const found = (await backend.glob("*", folder)).files?.map((entry) => entry.path);
      check.equal(found, expected, `What glob finds in ${folder} ${when}`, "P1");
      const lines = (await backend.grep("t", folder)).matches?.map((match) => match.text);
      const searched = text === undefined ? ["t"] : [text.trimEnd(), "t"];
      check.equal(lines, searched, `What grep finds in ${folder} ${when}`, "P1");
    }
  };
  await look("t0 0.\n", "at first");
  for (const { name, text, run } of changesOf(context, path, 0)) {
    if (name === "move") continue;
    check.that(!hasFailed((await run()) as object), `${name} should have succeeded.`, "A7");
    await look(text, `after ${name}`);
  }
}

/** T1: a batch changes what is known of each of its files. */
async function wholeBatch(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const paths = range(8).map((n) => `/f/${n % 3}/${n}.txt`);
  const batch = async (text: string): Promise<void> => {
    const files = paths.map((path, n): [string, Uint8Array] => [
      path,
      encoder.encode(`${text}${n}\n`),
    ]);
    const failed = (await backend.uploadFiles(files)).filter(({ error }) => error !== null);
    check.equal(failed, [], "The failures of a batch", "T1");
  };
  for (const text of ["t0 ", "t1 ", "t2 long "]) {
    await batch(text);
    for (const [n, path] of paths.entries())
      for (const [view, look] of viewsOf(context))
        check.equal(
          await look(path),
          shownBy(view, `${text}${n}\n`),
          `What ${view} shows of file ${n} of a batch`,
          "A7",
        );
    const fetched = await backend.downloadFiles([...paths, paths[0] ?? ""]);
    check.equal(
      fetched.map(({ content }) => new TextDecoder().decode(content ?? new Uint8Array())),
      [...paths.map((_, n) => `${text}${n}\n`), `${text}0\n`],
      "What a download of the whole batch, the first file twice, gives",
      "T1",
    );
  }
}

/** What is remembered must not be shown after a change. */
export const freshCases: readonly Case[] = [
  {
    id: "fresh/beside-looks",
    rules: ["A7"],
    level: "core",
    needs: ["consistency=strong"],
    patience: 2,
    why: "What is looked at after a change shows it, also where others looked before and beside the change.",
    hint: "A look that began before a change may not answer one that begins after it: share no answer, or drop what was begun before.",
    run: beside,
  },
  {
    id: "fresh/as-written",
    rules: ["P1", "A7"],
    level: "core",
    needs: ["consistency=strong"],
    why: "Looks at a path written in another way show every change too.",
    hint: "Make paths canonical before anything is remembered under them.",
    run: asWritten,
  },
  {
    id: "fresh/whole-batch",
    rules: ["A7", "T1"],
    level: "core",
    needs: ["transfer", "consistency=strong"],
    why: "After a batch every view shows the new content of each of its files.",
    run: wholeBatch,
  },
];
