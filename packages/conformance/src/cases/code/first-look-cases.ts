import type { CaseContext, Content } from "../../engine/case-context.js";
import { withoutPlace } from "../../eyes/without-place.js";
import type { Case } from "../case.js";

/** What is looked at: a text, a medium by its name, an empty file. */
const FILES: Readonly<Record<string, Content>> = {
  "a.txt": "one\ntwo\n",
  "b.png": "by its name no text\n",
  "c.ts": "const c = 1;\n",
  "empty.md": "",
};
const NAMES = Object.keys(FILES);

type Look = readonly [name: string, look: (directory: string, path: string) => Promise<unknown>];

function looksOf({ backend, profile }: CaseContext): Look[] {
  const looks: Look[] = [
    ["ls", (directory) => backend.ls(directory)],
    ["glob", (directory) => backend.glob("**", directory)],
    ["grep", (directory) => backend.grep("o", directory)],
    ["read", (_, path) => backend.read(path)],
    ["readRaw", (_, path) => backend.readRaw(path)],
  ];
  if (backend.has("stat")) looks.push(["stat", (_, path) => backend.call("stat", [path])]);
  if (profile.transfer) looks.push(["downloadFiles", (_, path) => backend.downloadFiles([path])]);
  return looks;
}

/** F1, A4: what a look says of a file does not depend on which look came first. */
async function firstLooks(context: CaseContext): Promise<void> {
  const { check } = context;
  const looks = looksOf(context);
  const directories = looks.map((_, n) => `/first${n}`);
  const files = directories.flatMap((directory) =>
    NAMES.map((name) => [`${directory}/${name}`, FILES[name] ?? ""] as const),
  );
  await context.given(Object.fromEntries(files));
  const said: Array<Map<string, unknown>> = [];
  for (const [n, directory] of directories.entries()) {
    const answers = new Map<string, unknown>();
    const first = looks.slice(n, n + 1);
    for (const [name, look] of [...first, ...looks.toSpliced(n, 1)])
      for (const file of NAMES)
        answers.set(
          `${name} of ${file}`,
          JSON.parse(withoutPlace(await look(directory, `${directory}/${file}`), directory)),
        );
    said.push(answers);
  }
  for (const [n, [name]] of looks.entries())
    for (const file of NAMES) {
      const what = `${name} of ${file}`;
      for (const [m, answers] of said.entries()) {
        const sentence = `What ${what} says, asked after ${looks[m]?.[0]} rather than first`;
        check.equal(answers.get(what), said[n]?.get(what), sentence, "F1");
      }
    }
}

/** Looks at files in every order of methods. */
export const firstLookCases: readonly Case[] = [
  {
    id: "found/whichever-look-came-first",
    rules: ["F1", "L2", "R8", "A4"],
    level: "core",
    needs: [],
    why: "What a look says of a file is the same whichever other look has seen it first.",
    hint: "A listing knows less of a file than stat does: what it knows is no answer of stat.",
    run: firstLooks,
  },
];
