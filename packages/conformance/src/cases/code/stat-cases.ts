import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import type { Case } from "../case.js";

/** What any view may say of a file's times. */
interface Times {
  readonly modified_at?: unknown;
  readonly created_at?: unknown;
}

interface Info extends Times {
  readonly path?: unknown;
  readonly is_dir?: unknown;
  readonly size?: unknown;
  readonly mimeType?: unknown;
}

async function infoOf(context: CaseContext, path: string): Promise<Info> {
  if (!context.backend.has("stat")) throw new NotApplicable("the backend has no 'stat'");
  const answer = (await context.backend.call("stat", [path])) as { info?: Info };
  context.check.succeeded(answer as object, `stat of ${path}`, "F1");
  return answer.info ?? {};
}

async function directories(context: CaseContext): Promise<void> {
  const { check } = context;
  check.equal(
    [(await infoOf(context, "/")).path, (await infoOf(context, "/")).is_dir],
    ["/", true],
    "What stat says of the root while it is empty",
    "P5",
  );
  await context.given({ "/d/sub/a.txt": "a" });
  for (const path of ["/d", "/d/", "/d//", "/d/./", "/d/sub", "//d/./sub//"]) {
    const info = await infoOf(context, path);
    const canonical = path.includes("sub") ? "/d/sub/" : "/d/";
    check.equal(
      [info.path, info.is_dir],
      [canonical, true],
      `What stat says of ${JSON.stringify(path)}`,
      "F1",
    );
  }
}

/** A directory that nothing is left in is not there, whichever call took the last file away. */
async function noGhosts(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  await context.given({ "/a/x": "1", "/b/x": "2", "/c/e/x": "3", "/d/e/x": "4", "/kept": "5" });
  const changes: ReadonlyArray<readonly [string, string, () => Promise<object>]> = [
    ["/a", "a move of its last file", () => backend.move("/a/x", "/moved")],
    ["/b", "a removal of its last file", () => backend.delete("/b/x")],
    ["/c", "a removal of its last directory", () => backend.delete("/c/e")],
    ["/d", "a move of its last directory", () => backend.move("/d/e", "/e")],
  ];
  for (const [directory, what, change] of changes) {
    await infoOf(context, directory);
    check.succeeded(await change(), what);
    const answer = (await backend.call("stat", [directory])) as object;
    check.failed(answer, "not_found", `stat of ${directory} after ${what}`, "D2");
    check.failed(await backend.ls(directory), "not_found", `ls of it after ${what}`, "D2");
    check.failed(await backend.glob("**", directory), "not_found", `glob after ${what}`, "G4");
    check.failed(await backend.grep("1", directory), "not_found", `grep after ${what}`, "S4");
  }
}

/** Names of texts whose extensions are those of videos, archives or sounds to libraries of types. */
const TEXT_NAMES = ["e.ts", "f.tsx", "g.mts", "h.cts", "i.svg", "j.m4", "k.html", "l.json", "m"];

/** F1, R8: what stat says of a type is what read says, and a name that is no medium's gives none, or that one. */
async function types(context: CaseContext): Promise<void> {
  const media = ["a.png", "b.PDF", "c.mp4", "d.jpeg"];
  const names = [...media, ...TEXT_NAMES];
  await context.given(Object.fromEntries(names.map((name) => [`/${name}`, "x"])));
  for (const name of names) {
    const { mimeType } = await context.backend.read(`/${name}`);
    const { mimeType: said } = await infoOf(context, `/${name}`);
    if (said === undefined && !media.includes(name)) continue;
    context.check.equal(
      said,
      mimeType,
      `The type that stat gives of ${name}, which read gives too`,
      "F1",
    );
  }
}

/** The storage and its listings may round to whole seconds, each in its own way. */
const ROUNDING_MS = 2000;

/** Longer than a listing may round, so that a time made up at the moment of the call shows. */
const LONG_ENOUGH_MS = 2300;

async function timesOf(context: CaseContext, path: string): Promise<Map<string, Times>> {
  const { backend } = context;
  const found = new Map<string, Times>();
  const listed = (await backend.ls("/d")).files?.find((entry) => entry.path === path);
  const globbed = (await backend.glob("**")).files?.find((entry) => entry.path === path);
  const { data } = await backend.readRaw(path);
  if (listed !== undefined) found.set("ls", listed);
  if (globbed !== undefined) found.set("glob", globbed);
  if (data !== undefined) found.set("readRaw", data);
  if (backend.has("stat")) found.set("stat", await infoOf(context, path));
  return found;
}

/** Times are the file's, not those of the look: nothing but a change moves them, and all views agree. */
async function steadyTimes(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const path = "/d/a.txt";
  const anew = "/d/anew.txt";
  await context.given({ [path]: "one\n", [anew]: "one\n" });
  const before = await timesOf(context, path);
  const first = await timesOf(context, anew);
  await delay(LONG_ENOUGH_MS);
  await backend.read(path);
  await backend.grep("one");
  const after = await timesOf(context, path);
  for (const [view, times] of after)
    for (const field of FIELDS)
      check.equal(
        times[field],
        before.get(view)?.[field],
        `${field} of ${view}, read again,`,
        "L2",
      );
  agree(context, after, "before a change");
  check.succeeded(await backend.edit(path, "one", "two"), "edit");
  agree(context, await timesOf(context, path), "after an edit");
  if (!context.profile.delete || context.profile.times !== "kept") return;
  check.succeeded(await backend.delete(anew), "delete");
  check.succeeded(await backend.write(anew, "anew\n"), "write of what was removed");
  for (const [view, { created_at: created }] of await timesOf(context, anew)) {
    const old = first.get(view)?.created_at;
    if (typeof created === "string" && typeof old === "string")
      check.that(
        created > old,
        `${anew} was removed and made anew, but in ${view} it was created at ${created} as the file before it.`,
        "W7",
      );
  }
}

const FIELDS = ["modified_at", "created_at"] as const;

/** What one view says of a file's times is what readRaw says. */
function agree({ check }: CaseContext, seen: ReadonlyMap<string, Times>, when: string): void {
  const reference = seen.get("readRaw");
  for (const [view, times] of seen) {
    for (const field of FIELDS) {
      const time = times[field];
      const other = reference?.[field];
      if (typeof time !== "string" || typeof other !== "string") continue;
      check.that(
        Math.abs(Date.parse(time) - Date.parse(other)) <= ROUNDING_MS,
        `${field} of ${view} is ${time} ${when}, but readRaw gives ${other} for the same file.`,
        "L2",
      );
    }
  }
}

/** What `stat` says, and what every view says of times. */
export const statCases: readonly Case[] = [
  {
    id: "stat/directories",
    rules: ["F1", "P5", "P1", "A3"],
    level: "core",
    needs: ["transfer", "stat"],
    why: "A directory's path ends in a slash, however it was written; the root is there while it is empty.",
    run: directories,
  },
  {
    id: "stat/no-ghosts",
    rules: ["D2", "F1", "G4", "S4"],
    level: "core",
    needs: ["stat", "transfer", "delete", "move", "directories=implicit"],
    why: "stat, ls, glob and grep agree that a directory is gone with its last file, whichever call took it.",
    hint: "What remembers directories must learn of moves as of removals.",
    run: noGhosts,
  },
  {
    id: "stat/media-types",
    rules: ["F1", "R8"],
    level: "core",
    needs: ["stat"],
    why: "stat of a media file gives its type, the same as read gives, and of no other file another one.",
    hint: "One table of types for all methods: to a library, '.ts' is a video.",
    run: types,
  },
  {
    id: "storage/steady-times",
    rules: ["L2", "W7", "F1"],
    level: "core",
    needs: [],
    why: "Times are those of the file: a look does not move them, and all views agree.",
    hint: "Do not fill a missing time with that of the call; leave the field out.",
    waits: true,
    run: steadyTimes,
  },
];
