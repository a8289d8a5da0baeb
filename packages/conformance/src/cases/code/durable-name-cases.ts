import type { CaseContext } from "../../engine/case-context.js";
import { sortedPaths } from "../../model/text-rules.js";
import type { Case } from "../case.js";

/** Names of what storages, editors and tools leave behind, which a start would tidy away. */
const LIKE_LEFTOVERS = [
  ".partial .part .tmp .temp .lock .swp .bak .old .new .orig .crdownload .download .upload .staged",
  ".pending .deleted .trash .journal .wal .log .index .meta .json .pid .sock ~ .1",
].flatMap((endings) => endings.split(" ").map((ending) => `/d/report${ending}`));
const LIKE_TEMPORARY =
  "tmp-1 .tmp-1 temp lost+found .trash .nfs0001 ._report core #report# .#report".split(" ");

/** P3, A7: a start takes no file of a user's for something of its own. */
async function leftoversStay(context: CaseContext): Promise<void> {
  const paths = [
    ...LIKE_LEFTOVERS,
    ...LIKE_TEMPORARY.map((name) => `/d/${name}`),
    ...LIKE_TEMPORARY.map((name) => `/in/${name}/x.txt`),
  ];
  const kept = Object.fromEntries(paths.map((path) => [path, `own of ${path}\n`]));
  await context.given(kept);
  const reopened = await context.reopen();
  await context.holds(kept, reopened, "A7");
  const found = (await reopened.glob("**", "/")).files?.map(({ path }) => path);
  context.check.equal(found, sortedPaths(Object.keys(kept)), "What a restart has left", "A7");
}

/** P4: what was done to a directory, or a file, was done to nothing that is called like it. */
async function namesakesStay(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const beside = ["", "b.txt", ".txt", "-2/x.txt", " /x.txt", "0/x.txt", "_/x.txt", "%/x.txt"];
  const files: Record<string, string | null> = {};
  for (const name of ["removed", "moved", "copied"])
    for (const end of beside) files[`/${name}${end === "" ? "/x.txt" : end}`] = `${name}${end}\n`;
  for (const end of ["", ".bak", "0"]) files[`/d/gone.txt${end}`] = `gone${end}\n`;
  await context.given(files as Record<string, string>);
  if (profile.delete) {
    check.succeeded(await backend.delete("/removed"), "delete of a directory", "D1");
    files["/removed/x.txt"] = null;
    check.succeeded(await backend.delete("/d/gone.txt"), "delete of a file", "D1");
    files["/d/gone.txt"] = null;
  }
  if (profile.move) {
    check.succeeded(await backend.move("/moved", "/to"), "move of a directory", "M1");
    files["/to/x.txt"] = files["/moved/x.txt"] ?? null;
    files["/moved/x.txt"] = null;
  }
  if (profile.copy) {
    check.succeeded(await backend.copy("/copied", "/copy"), "copy of a directory", "M1");
    files["/copy/x.txt"] = files["/copied/x.txt"] ?? null;
  }
  const reopened = await context.reopen();
  await context.holds(files, reopened, "P4");
  const there = Object.keys(files).filter((path) => files[path] !== null);
  const found = (await reopened.glob("**", "/")).files?.map(({ path }) => path);
  check.equal(found, sortedPaths(there), "What a restart has left", "P4");
}

/** What a process makes of names when it begins. */
export const durableNameCases: readonly Case[] = [
  {
    id: "durable/names-like-leftovers",
    rules: ["P3", "A7"],
    level: "durable",
    needs: ["durable", "reopen", "transfer"],
    why: "A restart leaves files whose names look like what is left behind by tools and storages.",
    hint: "Keep what a start tidies away where no path of a user leads.",
    run: leftoversStay,
  },
  {
    id: "durable/namesakes",
    rules: ["P4", "A7"],
    level: "durable",
    needs: ["durable", "reopen", "transfer"],
    why: "After a restart, what was removed, moved or copied is that alone, and nothing whose name begins like it.",
    hint: "Replay a change of a directory by segments: '/ab' is not below '/a'.",
    run: namesakesStay,
  },
];
