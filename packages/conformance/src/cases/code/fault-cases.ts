import type { CaseContext } from "../../engine/case-context.js";
import { CheckFailure } from "../../engine/check-failure.js";
import { hasFailed } from "../../engine/checker.js";
import type { Tree } from "../../eyes/tree.js";
import type { Faults } from "../../harness/harness.js";
import { checkAnswer, resultOf } from "../../matrix/check-answer.js";
import { requireOffered, type Row } from "../../matrix/row.js";
import { ROWS } from "../../matrix/rows.js";
import { saysUnsettled } from "../../matrix/settling.js";
import { stageOf, SUBJECT_TEXT, type Stage } from "../../matrix/stage.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";
import { AWAY, beginning, during } from "./begin-fault.js";

const REFUSED = [...AWAY, "permission_denied"];
const FULL = ["quota_exceeded", "too_large", "unavailable"];

/** Milliseconds after which a call that should have ended is given up. */
const PATIENCE_MS = 15_000;

/** The call fails with one of these codes, and afterwards everything is as it was. */
async function failsDuring(
  context: CaseContext,
  row: Row,
  kind: keyof Faults,
  codes: readonly string[],
): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  const heal = await beginning(context, kind);
  const answer = await during(heal, context.backend.call(row.method, row.args(path, SUBJECT_TEXT)));
  checkAnswer(context.check, row, answer, { codes }, `${row.method} during the fault`, "A1");
  await eyes.see(model.files, `after ${row.method} failed`);
}

/** The change is refused while the files stay readable, and the same call is carried out once changes are accepted again. */
async function readOnly(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  const after = model.clone();
  const prediction = row.predict(after, path, SUBJECT_TEXT);
  const heal = await beginning(context, "readOnly");
  const call = (): Promise<unknown> =>
    context.backend.call(row.method, row.args(path, SUBJECT_TEXT));
  const refused = { codes: ["permission_denied"] };
  const what = `${row.method} on a storage that accepts no changes`;
  try {
    checkAnswer(context.check, row, await call(), refused, what, "A10");
    await eyes.see(model.files, `while the storage accepts no changes`);
  } finally {
    await heal();
  }
  await eyes.see(model.files, `after ${row.method} was refused`);
  const again = `${row.method} on a storage that accepts changes again`;
  checkAnswer(context.check, row, await call(), prediction, again, "A7");
  await eyes.see(after.files, `after ${again}`);
}

/** The change may have happened: then it is whole. Nothing is gone from both places. */
async function answerLost(context: CaseContext, row: Row): Promise<void> {
  const stage = await stageOf(context, row);
  const after = stage.model.clone();
  const prediction = stage.row.predict(after, stage.path, SUBJECT_TEXT);
  const heal = await beginning(context, "loseAnswers");
  const args = row.args(stage.path, SUBJECT_TEXT);
  const answer = await during(heal, context.backend.call(row.method, args));
  const what = `${row.method}, whose answer was lost`;
  if (!hasFailed(resultOf(row, answer))) {
    checkAnswer(context.check, row, answer, prediction, what, "A7");
    await stage.eyes.see(after.files, `after ${what} and which was acknowledged`);
    return;
  }
  checkAnswer(context.check, row, answer, { codes: AWAY }, what, "A7");
  const both = new Map([...stage.model.files, ...after.files]);
  const seen = await seesOneOf(
    stage,
    [stage.model.files, after.files, ...(row.method === "move" ? [both] : [])],
    what,
  );
  const { error } = resultOf(row, answer);
  // An item of a batch has a code, and no sentence.
  if (seen !== stage.model.files && !row.batch)
    context.check.that(
      saysUnsettled(error),
      `${what}, has taken effect, and the error does not say that it may have: ${show(error)}`,
      "A7",
    );
}

/** The first of some trees that is there. */
async function seesOneOf({ eyes }: Stage, trees: readonly Tree[], what: string): Promise<Tree> {
  let last: unknown;
  for (const tree of trees) {
    try {
      await eyes.see(tree, `after ${what}`);
      return tree;
    } catch (error) {
      if (!(error instanceof CheckFailure)) throw error;
      last = error;
    }
  }
  throw last;
}

/** A reader with a signal gets away from a storage that does not answer; a change ends once the storage is back. */
async function stalled(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  const heal = await beginning(context, "stall");
  const controller = new AbortController();
  const options = row.kind === "read" ? { signal: controller.signal } : undefined;
  const after = model.clone();
  const prediction = row.predict(after, path, SUBJECT_TEXT);
  const pending = context.backend.call(row.method, row.args(path, SUBJECT_TEXT, options));
  const healing = setTimeout(() => void heal(), row.kind === "read" ? PATIENCE_MS : 50);
  controller.abort();
  const answer = await pending;
  const isBack = row.kind === "change";
  clearTimeout(healing);
  await heal();
  if (!isBack || hasFailed(resultOf(row, answer))) {
    checkAnswer(
      context.check,
      row,
      answer,
      { codes: AWAY },
      `${row.method} of a storage that stalls`,
      "A8",
    );
    return;
  }
  checkAnswer(
    context.check,
    row,
    answer,
    prediction,
    `${row.method} of a storage that came back`,
    "A7",
  );
  await eyes.see(after.files, `after ${row.method} of a storage that came back`);
}

function faultCase(
  row: Row,
  kind: string,
  why: string,
  run: (context: CaseContext) => Promise<void>,
): Case {
  const name = row.id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    id: `fault/${name}-${kind}`,
    rules: [
      "A1",
      "A7",
      ...row.rules,
      ...(kind === "answer-lost" && row.method === "move" ? ["M7"] : []),
      ...(kind === "read-only" ? ["A10"] : []),
    ],
    level: "safe",
    needs: ["faults", "codes", "transfer", ...(row.need === undefined ? [] : [row.need])],
    why: `${row.method}: ${why}`,
    hint:
      kind === "read-only"
        ? "Do not take a storage that refuses changes for one that is away: trying again later does not help the caller."
        : "What is not known must not be answered: neither an empty listing nor not_found, but 'unavailable'.",
    run: async (context) => {
      requireOffered(context, row);
      await run(context);
    },
  };
}

/** An edit that changes nothing may be answered by what is known of the file, without the storage. */
const TO_THE_STORAGE = ROWS.filter(({ id }) => id !== "edit-same");

/** Faults of the storage, for every method. */
export const faultCases: readonly Case[] = TO_THE_STORAGE.flatMap((row) => {
  const isChange = row.kind === "change";
  const cases = [
    faultCase(
      row,
      "cut",
      "while the storage is away it answers 'unavailable', and nothing is changed or lost.",
      (context) => failsDuring(context, row, "cut", AWAY),
    ),
    faultCase(
      row,
      "refused",
      "a storage that refuses is neither empty nor without the file.",
      (context) => failsDuring(context, row, "refuse", REFUSED),
    ),
    faultCase(
      row,
      "stalled",
      "a storage that does not answer holds no reader that gives up, and no change for good.",
      (context) => stalled(context, row),
    ),
  ];
  if (!isChange) return cases;
  const fills = !["delete", "move-from", "move-to", "move-over"].includes(row.id);
  return [
    ...cases,
    faultCase(
      row,
      "answer-lost",
      "a change whose answer is lost is done or not, whole, and nothing is gone from both places.",
      (context) => answerLost(context, row),
    ),
    faultCase(
      row,
      "read-only",
      "where no change is accepted it is 'permission_denied', reads go on, and later it is carried out.",
      (context) => readOnly(context, row),
    ),
    ...(fills
      ? [
          faultCase(
            row,
            "full",
            "where no room is left the change is refused, and the file that was there stays.",
            (context) => failsDuring(context, row, "fill", FULL),
          ),
        ]
      : []),
  ];
});
