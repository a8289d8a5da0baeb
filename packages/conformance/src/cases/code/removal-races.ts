import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { momentOf } from "../../races/moments.js";
import { lastingOf, momentsUnderWay } from "../../races/under-way.js";
import { range } from "../../races/race.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";
import { sizesWithin } from "./sizes-within.js";

/** How many moments of an edit a removal begins at: more where an edit takes no longer than that. */
const MOMENTS = { quick: 30, slow: 8 };
const QUICK_MS = 30;
/** At one of so many moments the file itself is removed as well, elsewhere its directory alone. */
const FOR_THE_FILE = 4;

const TARGETS = ["directory", "file"] as const;

/** D1, A7: of a directory that is removed while one of its files is edited nothing is left, however large the file is. */
async function editedMeanwhile(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  const [size = 0] = sizesWithin(context, [140_000, 70_000, 9000, 40]);
  const [old, next] = ["x".repeat(size), "y".repeat(size)];
  await context.given({ "/first.txt": old });
  const lasting = await lastingOf(other.edit("/first.txt", old, next));
  const moments = momentsUnderWay(lasting, MOMENTS[lasting.ms < QUICK_MS ? "quick" : "slow"]);
  for (const [m, moment] of moments.entries())
    for (const [n, target] of TARGETS.entries()) {
      if (target === "file" && m % FOR_THE_FILE !== 0) continue;
      if (context.signal.aborted) return;
      context.transcript.clear();
      const directory = `/${m}-${n}/d`;
      const path = `${directory}/large.txt`;
      await context.given({ [path]: old, [`${directory}/small.txt`]: "small\n" });
      const editing = other.edit(path, old, next);
      await momentOf(moment);
      const removed = await backend.delete(target === "file" ? path : directory);
      const edited = await editing;
      if (hasFailed(removed)) {
        const { data } = await backend.readRaw(path);
        check.that(
          data === undefined || [old, next].includes(String(data.content)),
          `What a removal that failed has left, after ${moment} of an edit, should hold what it held, or what the edit made of it.`,
          "A7",
        );
        continue;
      }
      const what = `after an edit that ${hasFailed(edited) ? "was refused" : "was acknowledged"}, ${moment} before the removal of its ${target}`;
      for (const client of new Set([backend, other])) {
        check.failed(await client.readRaw(path), "not_found", `readRaw ${what}`, "D1");
        const { files = [] } = await client.glob("**/large.txt");
        check.that(
          !files.some((file) => file.path === path),
          `glob should not find '${path}' ${what}.`,
          "D1",
        );
      }
    }
}

/** Files of a directory that no storage removes in one step, if it removes them in parts; the last of them are edited. */
const MANY = 48;
const LAST_EDITED = [MANY - 1, MANY - 2, MANY / 2];

const nameOf = (n: number): string => `${String(n).padStart(2, "0")}.txt`;

/** D1, A7: of a directory of many files nothing is left, though some of them are edited while it is removed. */
async function manyEditedMeanwhile(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  const givenAt = (directory: string): Promise<void> =>
    context.given(
      Object.fromEntries(range(MANY).map((n) => [`${directory}/${nameOf(n)}`, "old\n"])),
    );
  await givenAt("/whole");
  const first = backend.delete("/whole");
  const lasting = await lastingOf(first);
  check.succeeded(await first, "delete", "D1");
  for (const [m, moment] of ["0 microtasks", "1 turns", ...momentsUnderWay(lasting, 6)].entries()) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const directory = `/${m}/d`;
    await givenAt(directory);
    const removing = backend.delete(directory);
    await momentOf(moment);
    const edited = await Promise.all(
      LAST_EDITED.map((n) => other.edit(`${directory}/${nameOf(n)}`, "old", "new")),
    );
    const removed = await removing;
    if (hasFailed(removed)) continue;
    const done = edited.filter((answer) => !hasFailed(answer)).length;
    for (const client of new Set([backend, other])) {
      const left = (await client.glob("**", `/${m}`)).files?.map(({ path }) => path) ?? [];
      const what = `What is left of a directory whose removal is acknowledged, with ${done} edits after ${moment}`;
      check.equal(left, [], what, "D1");
    }
  }
}

/** Files of a directory that is removed, whose names are all given to new files meanwhile. */
const NAMES = ["a.txt", "b.txt", "sub/c.txt", "sub/d.txt"];
/** Every point between two steps of a removal that hardly waits, as on a local disk. */
const STEPS = range(12).map((n) => `${n} microtasks`);
/** Later points, at shares of the removal. */
const SHARES = 6;

function oldFiles(directory: string): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [`${directory}/${name}`, "old\n"]));
}

/** D2, A7, W4: a new file that took the name of one which its directory's removal had removed is not removed with it. */
async function createdMeanwhile(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check, profile } = context;
  await context.given(oldFiles("/alone/d"));
  const lasting = await lastingOf(backend.delete("/alone/d"));
  const shares = momentsUnderWay(lasting, SHARES);
  const moments = lasting.ms < QUICK_MS ? [...STEPS, ...shares] : shares;
  for (const [m, moment] of moments.entries()) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const directory = `/${m}/d`;
    await context.given(oldFiles(directory));
    const removing = backend.delete(directory);
    await momentOf(moment);
    const created = await Promise.all(
      NAMES.map(async (name) => {
        const path = `${directory}/${name}`;
        return [path, await other.write(path, "new\n")] as const;
      }),
    );
    const removed = await removing;
    const made = created.filter(([, answer]) => !hasFailed(answer)).map(([path]) => path);
    await context.holds(Object.fromEntries(made.map((path) => [path, "new\n"])), other, "D2");
    const refused = created.filter(([, answer]) => hasFailed(answer));
    for (const [path, { code }] of refused)
      check.that(
        !profile.codes || code === "already_exists" || code === "conflict",
        `'${path}', created ${moment} after the beginning of a removal, should be made or be there, not refused with ${show(code)}.`,
        "W4",
      );
    if (hasFailed(removed)) continue;
    await context.holds(Object.fromEntries(refused.map(([path]) => [path, null])), other, "D1");
  }
}

/** Removals beside changes of what they remove. */
export const removalRaces: readonly Case[] = overlapCases([
  {
    name: "many-removed-beside-edits",
    rules: ["D1", "A7", "E7"],
    needs: ["delete", "transfer"],
    why: "Of a directory of many files whose removal is acknowledged nothing is left, also of those that were edited meanwhile.",
    hint: "A file that has changed since it was listed is removed as it is now: it is in the directory.",
    run: manyEditedMeanwhile,
  },
  {
    name: "removed-beside-an-edit",
    rules: ["D1", "A7", "E7"],
    needs: ["transfer", "delete"],
    why: "A file is gone once its removal, or that of its directory, is acknowledged, also where an edit of it was under way.",
    hint: "What is locked is waited for, or the removal says that it is not done. An edit never creates a file that was removed.",
    run: editedMeanwhile,
  },
  {
    name: "created-beside-a-removal",
    rules: ["D2", "A7", "W4", "D1"],
    needs: ["transfer", "delete", "writeMode=create"],
    why: "A file that is created where the removal of its directory has just removed one stays: it was created afterwards.",
    hint: "Remove each name once: what has it after that is of another call, and stays, with its directory.",
    run: createdMeanwhile,
  },
]);
