import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../engine/case-context.js";
import { CheckFailure } from "../engine/check-failure.js";
import { hasFailed } from "../engine/checker.js";
import type { FileModel } from "../model/file-model.js";
import type { Behaviour } from "./behaviour.js";
import { checkAnswer, resultOf } from "./check-answer.js";
import { countedSignal, requireNoneLeft } from "./counted-signal.js";
import type { PathMethod, Row } from "./row.js";
import { saysUnsettled, SETTLING_MS } from "./settling.js";
import { stageOf, SUBJECT_TEXT, type Stage } from "./stage.js";

/** Changes of one file: done, or not done, or said to be under way. */
const ANSWERS_FOR_ITSELF: ReadonlySet<PathMethod> = new Set([
  "write",
  "edit",
  "multiEdit",
  "delete",
]);
/** Milliseconds in which a change that goes on unsaid would be seen. */
const LATE_MS = 30;
/** Milliseconds after which an answer has used some of the second that a change under way is given. */
const AT_ONCE_MS = 100;
const BETWEEN_LOOKS_MS = 150;

/** Ways to let a call begin before its signal fires. */
const MOMENTS: ReadonlyArray<readonly [name: string, pass: () => Promise<unknown>]> = [
  ["at once", async () => undefined],
  ["after a microtask", () => Promise.resolve()],
  ["after a turn of the event loop", () => turn()],
];

/** Why a signal fired is the caller's business: all of these answer `aborted`, and none is thrown or repeated. */
const REASONS: ReadonlyArray<readonly [name: string, reason: unknown]> = [
  ["no reason", undefined],
  ["an error of the caller's", new TypeError("the caller's own reason, 7f3a")],
  ["a text", "the caller's own reason, 7f3a"],
  ["a timeout", new DOMException("the caller's own reason, 7f3a", "TimeoutError")],
  ["null", null],
];

async function abortedBefore(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  // What a cache could answer is aborted as well.
  if (row.kind === "read") await context.backend.call(row.method, row.args(path, SUBJECT_TEXT));
  for (const [name, reason] of REASONS) {
    const options = { signal: AbortSignal.abort(reason) };
    const answer = await context.backend.call(row.method, row.args(path, SUBJECT_TEXT, options));
    const what = `${row.method} with a signal that fired for ${name}`;
    checkAnswer(context.check, row, answer, { codes: ["aborted"] }, what, "A8");
    const { error } = resultOf(row, answer);
    context.check.that(
      !String(error).includes("7f3a"),
      `The error of ${what} repeats the reason, which is not its own.`,
      "A6",
    );
  }
  await turn();
  await eyes.see(model.files, `after ${row.method} with a fired signal`);
}

async function abortedInFlight(context: CaseContext, row: Row): Promise<void> {
  for (const [index, [moment, pass]] of MOMENTS.entries()) {
    const stage = await stageOf(context, row, `/d${index}`);
    const controller = new AbortController();
    const args = row.args(stage.path, SUBJECT_TEXT, { signal: controller.signal });
    const pending = context.backend.call(row.method, args);
    await pass();
    const aborted = performance.now();
    controller.abort();
    const answer = await pending;
    requireTimeToAnswer(context, row, answer, performance.now() - aborted);
    await settled(context, stage, answer, moment);
    // What is left of this round is not part of the next.
    if (context.profile.delete)
      for (const top of ["/source", "/target", `/d${index}`]) await context.backend.delete(top);
    else return;
  }
}

/** A8: a change of one file does not leave its outcome open before it has had time to answer for itself. */
function requireTimeToAnswer(
  { check }: CaseContext,
  row: Row,
  answer: unknown,
  afterMs: number,
): void {
  const { error } = resultOf(row, answer);
  check.that(
    !ANSWERS_FOR_ITSELF.has(row.method) || afterMs > AT_ONCE_MS || !saysUnsettled(error),
    `${row.method} was answered ${afterMs.toFixed(1)} ms after its signal, and says that its outcome is not known: ${String(error)}`,
    "A8",
  );
}

/** Done and acknowledged, or `aborted` and either done or not: whole in both cases. */
async function settled(
  context: CaseContext,
  { row, path, model, eyes }: Stage,
  answer: unknown,
  moment: string,
): Promise<void> {
  const what = `${row.method}, aborted ${moment}`;
  const after = model.clone();
  const prediction = row.predict(after, path, SUBJECT_TEXT);
  if (!hasFailed(resultOf(row, answer))) {
    checkAnswer(context.check, row, answer, prediction, what, "A8");
    await eyes.see(after.files, `after ${what}, which was acknowledged`);
    return;
  }
  // M7: a move whose removal was cut off may not know whether the source is gone.
  const codes = row.method === "move" ? ["aborted", "unavailable"] : ["aborted"];
  checkAnswer(context.check, row, answer, { codes }, what, "A8");
  await turn();
  // One that has not answered for itself within its second says that it may still take effect.
  if (ANSWERS_FOR_ITSELF.has(row.method) && !saysUnsettled(resultOf(row, answer).error)) {
    await delay(LATE_MS);
    await eyes.see(model.files, `after ${what}, which says nothing of a change that goes on`);
    return;
  }
  // A move that goes on after its answer is for a while at both ends: what counts is where it ends.
  const unsettled = saysUnsettled(resultOf(row, answer).error);
  const until = performance.now() + (unsettled ? SETTLING_MS : 0);
  const restored = restoredTree(context, row, model, after);
  do {
    if (await isSeen(() => eyes.see(model.files, `after ${what}`))) return;
    if (restored && (await isSeen(() => eyes.see(restored.files, `after ${what}`)))) return;
    if (await isSeen(() => eyes.see(after.files, `after ${what}`))) return;
    if (unsettled) await delay(BETWEEN_LOOKS_MS);
  } while (performance.now() < until);
  // M7: where nothing is undone, the file stays at both ends, and the answer has said so.
  if (unsettled)
    for (const [file, bytes] of model.files) after.put(file, after.files.get(file) ?? bytes);
  await eyes.see(after.files, `after ${what}, as it is not as before`);
}

/** M6: of a relocation that was taken back, the file that it had replaced is there again, stored anew. */
function restoredTree(
  context: CaseContext,
  { method }: Row,
  before: FileModel,
  after: FileModel,
): FileModel | undefined {
  if (method !== "move" && method !== "copy") return undefined;
  const restored = before.clone();
  for (const [path, bytes] of before.files)
    if (after.files.has(path) && after.files.get(path) !== bytes) restored.put(path, bytes.slice());
  return restored;
}

/** Whether a look found what it looked for. */
async function isSeen(look: () => Promise<unknown>): Promise<boolean> {
  try {
    await look();
    return true;
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    return false;
  }
}

async function liveSignal(context: CaseContext, row: Row): Promise<void> {
  const { path, model, eyes } = await stageOf(context, row);
  const controller = new AbortController();
  const args = row.args(path, SUBJECT_TEXT, { signal: controller.signal });
  const prediction = row.predict(model, path, SUBJECT_TEXT);
  const answer = await context.backend.call(row.method, args);
  controller.abort();
  await turn();
  checkAnswer(context.check, row, answer, prediction, `${row.method} with a signal`, "A8");
  await eyes.see(model.files, `after ${row.method}, whose signal fired once it was answered`);
}

async function leavesNothing(context: CaseContext, row: Row): Promise<void> {
  const { path } = await stageOf(context, row);
  const counted = countedSignal();
  const options = { signal: counted.signal };
  for (const [what, at] of [
    ["a call", path],
    ["a call on what is not there", "/none/such/file.txt"],
    ["a call with a path that is none", "relative"],
    ["the same call again", path],
  ] as const) {
    await context.backend.call(row.method, row.args(at, SUBJECT_TEXT, options));
    await requireNoneLeft(context, counted, `after ${what} of ${row.method}`);
  }
}

/** A8, for every method. */
export const ABORT_BEHAVIOURS: readonly Behaviour[] = [
  {
    id: "aborted-before",
    rules: ["A8"],
    needs: ["signals"],
    why: "A call whose signal has fired answers aborted, whatever the reason, and changes nothing.",
    hint: "Look at signal.aborted first, before anything is sent. The reason may be anything, or a TimeoutError.",
    run: abortedBefore,
  },
  {
    id: "aborted-in-flight",
    rules: ["A8", "A7"],
    needs: ["signals", "transfer"],
    why: "A call whose signal fires while it is under way is done and acknowledged, or aborted; no file is half changed.",
    run: abortedInFlight,
  },
  {
    id: "live-signal",
    rules: ["A8"],
    needs: ["signals"],
    why: "A signal that fires after the answer changes nothing any more.",
    run: liveSignal,
  },
  {
    id: "signal-left",
    rules: ["A8"],
    needs: ["signals"],
    why: "Once a call is answered, done or refused, it keeps no listener on its signal: one signal may serve a whole session.",
    hint: "Remove the listener in a finally, or listen through AbortSignal.any.",
    run: leavesNothing,
  },
];
