import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../engine/case-context.js";
import { Eyes } from "../eyes/eyes.js";
import { treeOf } from "../eyes/tree.js";
import { race, range } from "../races/race.js";
import type { Behaviour } from "./behaviour.js";
import { checkAnswer } from "./check-answer.js";
import type { Row } from "./row.js";
import { stageOf } from "./stage.js";

const CALLS = 6;

async function inParallel(context: CaseContext, row: Row): Promise<void> {
  const { model } = await stageOf(context, row);
  const paths = range(CALLS).map((n) => `/p${n}/f${n}.txt`);
  const created = row.id === "write" && context.profile.writeMode === "create";
  const texts = paths.map((_, n) => `text ${n}\nmore ${n}\n`);
  const files = created ? {} : Object.fromEntries(paths.map((path, n) => [path, texts[n] ?? ""]));
  await context.given(files);
  for (const [path, bytes] of treeOf(files)) model.put(path, bytes);
  const eyes = new Eyes(context);
  await eyes.prime(model.files);
  const subjects = row.id === "ls" ? paths.map((_, n) => `/p${n}`) : paths;
  const answers = await race(
    subjects.map((path, n) => () => context.backend.call(row.method, row.args(path, texts[n]))),
  );
  for (const [n, path] of subjects.entries()) {
    const prediction = row.predict(model, path, texts[n]);
    checkAnswer(
      context.check,
      row,
      answers[n],
      prediction,
      `${row.method} of ${path} beside ${CALLS - 1} others`,
      "A7",
    );
  }
  await eyes.see(model.files, `after ${CALLS} calls of ${row.method} at once`);
}

/** Pauses before a change, until the clock of the storage has moved: the coarsest counts seconds. */
const CLOCK_PAUSES_MS = [10, 40, 160, 640, 1200];

async function times(context: CaseContext, row: Row): Promise<void> {
  const { path, model } = await stageOf(context, row);
  const { backend, check } = context;
  for (const [round, pause] of CLOCK_PAUSES_MS.entries()) {
    await context.given({ [path]: "one\ntwo\n", "/times": String(round) });
    const before = (await backend.readRaw(path)).data;
    const listed = await modifiedIn(context, path);
    await delay(pause);
    const answer = await backend.call(row.method, row.args(path, "one\ntwo\n"));
    const prediction = row.predict(model.clone(), path, "one\ntwo\n");
    checkAnswer(check, row, answer, prediction, row.method, "W7");
    const after = (await backend.readRaw(path)).data;
    // An upload puts another file there, which may be new.
    if (row.method !== "uploadFiles")
      check.equal(after?.created_at, before?.created_at, `created_at after ${row.method}`, "W7");
    const moved = await modifiedIn(context, path);
    const isNewer =
      after !== undefined && before !== undefined && after.modified_at > before.modified_at;
    if (isNewer && (listed === undefined || (moved ?? "") > listed)) return;
  }
  check.that(
    false,
    `modified_at of readRaw or of ls did not go forward over a second by ${row.method}.`,
    "W7",
  );
}

async function modifiedIn(context: CaseContext, path: string): Promise<string | undefined> {
  const { files } = await context.backend.ls("/d");
  return files?.find((entry) => entry.path === path)?.modified_at;
}

/** A7 and W7, for every method. */
export const PARALLEL_BEHAVIOURS: readonly Behaviour[] = [
  {
    id: "in-parallel",
    rules: ["A7"],
    level: "safe",
    needs: ["consistency=strong"],
    why: "Calls on different files at once do not disturb each other.",
    hint: "Nothing of a call may live in a variable that calls share.",
    without: (row) =>
      /-(?:from|to|over)$/.test(row.id)
        ? "conc/relocations moves and copies in parallel"
        : undefined,
    run: inParallel,
  },
  {
    id: "times",
    rules: ["W7", "L2"],
    needs: ["times=kept", "transfer"],
    why: "A change moves modified_at, in readRaw and in ls, and keeps created_at.",
    without: (row) =>
      ["edit", "edit-all", "multiEdit", "uploadFiles"].includes(row.id)
        ? undefined
        : "it does not change a file that stays",
    run: times,
  },
];
