import { setTimeout } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";
import { sizesWithin } from "./sizes-within.js";

/** Milliseconds between two edits, and edits until the coarsest clock, of one second, has moved. */
const CLOCK_PAUSE = 50;
const CLOCK_ROUNDS = 60;

/** Changes after which what is kept as a row of changes has been put together, more than once. */
const MANY = 40;

/** Bytes of files that storages keep in another way than small ones: in parts, outside of a row or an item. */
const LARGE = [70_000, 300_000];

/** Edits until the clock of the storage has moved, and then asks when the file was made. */
async function creationSurvives(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  await context.given({ "/a.txt": "a" });
  const before = (await backend.readRaw("/a.txt")).data;
  for (let round = 0; round < CLOCK_ROUNDS; round++) {
    await setTimeout(CLOCK_PAUSE);
    const [old, next] = round % 2 === 0 ? ["a", "b"] : ["b", "a"];
    check.succeeded(await backend.edit("/a.txt", old, next), "edit");
    const after = (await backend.readRaw("/a.txt")).data;
    check.equal(after?.created_at, before?.created_at, "created_at after an edit");
    if (after?.modified_at !== before?.modified_at) return;
  }
  check.that(false, "modified_at did not move over three seconds of edits.", "W7");
}

/** W7: whatever the edit makes of the file, nothing and something again too. */
async function creationSurvivesAll(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const createdAt = async (path: string) => (await backend.readRaw(path)).data?.created_at;
  const lines = Math.min(2000, Math.floor((profile.limits.fileBytes ?? Infinity) / 6));
  const edits: ReadonlyArray<readonly [what: string, text: string, old: string, to: string]> = [
    ["one that fills it", "", "", "filled\n"],
    ["one that empties it", "gone\n", "gone\n", ""],
    ["one across line ends", "a\r\nb\r\n", "a\nb", "a\nc"],
    ["one that makes it long", "a\n", "a", "long\n".repeat(lines)],
    ["one that changes nothing", "same\n", "same", "same"],
  ];
  const files = edits.flatMap(([, text], n) => [
    [`/e/${n}.txt`, text],
    [`/m/${n}.txt`, text],
  ]);
  await context.given(Object.fromEntries(files));
  const paths = files.map(([path = ""]) => path);
  const before = new Map<string, unknown>();
  for (const path of paths) before.set(path, await createdAt(path));
  // Longer than the second that the coarsest clocks count in would take the suite's time: two hundredths show most.
  await setTimeout(20);
  for (const [n, [what, , old, to]] of edits.entries()) {
    check.succeeded(await backend.edit(`/e/${n}.txt`, old, to, true), `an edit, ${what}`, "W7");
    if (profile.multiEdit && old !== "")
      check.succeeded(
        await backend.multiEdit(`/m/${n}.txt`, [{ old, new: to }]),
        `a multiEdit, ${what}`,
        "W7",
      );
    for (const path of [`/e/${n}.txt`, `/m/${n}.txt`])
      check.equal(await createdAt(path), before.get(path), `created_at after ${what}`, "W7");
  }
}

/** W7, E1: a file stays the same file however often it is edited. */
async function creationSurvivesMany(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const path = "/often.txt";
  await context.given({ [path]: "state 0\n" });
  const { data } = await backend.readRaw(path);
  await setTimeout(20);
  for (let n = 1; n <= MANY; n++) {
    const [old, to] = [`state ${n - 1}\n`, `state ${n}\n`];
    const edited =
      profile.multiEdit && n % 3 === 0
        ? await backend.multiEdit(path, [{ old, new: to }])
        : await backend.edit(path, old, to);
    check.succeeded(edited, `edit ${n} of one file`, "E1");
    const now = await backend.readRaw(path);
    check.equal(now.data?.content, to, `The content after ${n} edits`, "E1");
    check.equal(now.data?.created_at, data?.created_at, `created_at after ${n} edits`, "W7");
  }
}

/** W7: what is stored in another way for its size is the same file, whatever an edit makes of the size. */
async function creationSurvivesSizes(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  for (const size of sizesWithin(context, LARGE)) {
    const path = `/large-${size}.txt`;
    const body = "line\n".repeat(size / 5 - 1);
    await context.given({ [path]: `mark\n${body}` });
    const { data } = await backend.readRaw(path);
    await setTimeout(20);
    const edits: ReadonlyArray<readonly [what: string, old: string, to: string]> = [
      ["a word", "mark\n", "MARK\n"],
      ["nearly all", body, ""],
      ["what makes it large again", "MARK\n", `MARK\n${body}`],
      ["the word again", "MARK\n", "mark\n"],
    ];
    for (const method of profile.multiEdit ? (["edit", "multiEdit"] as const) : ["edit" as const])
      for (const [edit, old, to] of edits) {
        const edited =
          method === "edit"
            ? await backend.edit(path, old, to)
            : await backend.multiEdit(path, [{ old, new: to }]);
        const what = `${method} of ${edit}, of ${size} bytes`;
        check.succeeded(edited, what, "E1");
        const after = await backend.readRaw(path);
        check.equal(after.data?.created_at, data?.created_at, `created_at after ${what}`, "W7");
      }
  }
}

/** W7, W5: a change at a version is a change of the same file. */
async function creationSurvivesConditions(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const conditional = profile.transfer && hasFeature(context, "conditionalUploads");
  type Change = (path: string, ifVersion: string) => Promise<Answered>;
  const changes: ReadonlyArray<readonly [name: string, change: Change, isThere: boolean]> = [
    ["edit", (path, ifVersion) => backend.edit(path, "a", "b", false, { ifVersion }), true],
    ["edit of all", (path, ifVersion) => backend.edit(path, "a", "b", true, { ifVersion }), true],
    [
      "multiEdit",
      (path, ifVersion) => backend.multiEdit(path, [{ old: "a", new: "b" }], { ifVersion }),
      profile.multiEdit,
    ],
    ["write", (path, ifVersion) => backend.write(path, "b\n", { ifVersion }), true],
    [
      "uploadFiles",
      async (path, ifVersion) => {
        const file = [path, new TextEncoder().encode("b\n"), { ifVersion }] as const;
        const [answer] = (await backend.call("uploadFiles", [[file]])) as Answered[];
        return { error: answer?.error ?? null };
      },
      conditional,
    ],
  ];
  const asked = changes.filter(([, , isThere]) => isThere);
  const paths = asked.map((_, n) => `/${n}.txt`);
  await context.given(Object.fromEntries(paths.map((path) => [path, "a\n"])));
  const createdAt = async (path: string) => (await backend.readRaw(path)).data?.created_at;
  const before = new Map<string, unknown>();
  for (const path of paths) before.set(path, await createdAt(path));
  await setTimeout(20);
  for (const [n, [name, change]] of asked.entries()) {
    const path = paths[n] ?? "";
    const { version = "" } = await backend.read(path);
    const { error } = await change(path, version);
    check.equal(error ?? null, null, `The error of ${name} at a version`, "W5");
    if (name === "write" || name === "uploadFiles") continue;
    check.equal(
      await createdAt(path),
      before.get(path),
      `created_at after ${name} at a version`,
      "W7",
    );
    check.equal((await backend.read(path)).content, "b\n", `The content after ${name}`, "E1");
  }
}

/** The time at which a file was made. */
export const creationTimeCases: readonly Case[] = [
  {
    id: "storage/creation-time",
    rules: ["W7"],
    level: "core",
    needs: ["times=kept"],
    why: "An edit moves modified_at and keeps created_at.",
    hint: "Carry the time of creation over when a file is replaced.",
    run: creationSurvives,
  },
  {
    id: "storage/creation-time-of-conditional-edits",
    rules: ["W7", "W5"],
    level: "core",
    needs: ["times=kept", "versions"],
    why: "An edit that names the version of the file keeps created_at, as one that names none does.",
    hint: "Carry the time of creation over wherever a file is replaced, with a condition too.",
    run: creationSurvivesConditions,
  },
  {
    id: "storage/creation-time-of-every-edit",
    rules: ["W7"],
    level: "core",
    needs: ["times=kept"],
    why: "created_at survives every edit, of an empty file and one that leaves it empty too.",
    hint: "An empty content is not a missing file.",
    run: creationSurvivesAll,
  },
  {
    id: "storage/creation-time-of-many-edits",
    rules: ["W7", "E1"],
    level: "core",
    needs: ["times=kept"],
    patience: 2,
    why: "created_at and the content are right after the fortieth edit as after the first.",
    hint: "What puts a row of changes together makes no new file.",
    run: creationSurvivesMany,
  },
  {
    id: "storage/creation-time-of-large-files",
    rules: ["W7", "E1"],
    level: "core",
    needs: ["times=kept"],
    patience: 2,
    why: "created_at survives the edits of a large file, also where one makes it small, and of a small one that makes it large.",
    hint: "What assembles a content of parts replaces the file that was there: it makes no new one.",
    run: creationSurvivesSizes,
  },
];
