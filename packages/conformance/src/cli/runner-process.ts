/**
 * The process in which the backend lives: the command starts it, listens to it, and ends it when it no longer answers.
 *
 * @module
 */
import { setImmediate as turn } from "node:timers/promises";
import type { Case } from "../cases/case.js";
import { byWeight } from "../engine/heavy.js";
import { Session } from "../engine/session.js";
import { completeProfile } from "../harness/profile.js";
import { buildReport } from "../report/build-report.js";
import { BAD_STATUSES, type CaseOutcome } from "../report/report.js";
import { loadHarness } from "./load-harness.js";
import type { RunnerMessage, RunnerTask } from "./messages.js";
import { preflight } from "./preflight.js";
import { UsageError } from "./usage-error.js";

/** Milliseconds between signs of life. */
const BEAT_MS = 200;

process.once("message", (task) => {
  void run(task as RunnerTask);
});
// Nobody listens any more: the command was ended.
process.once("disconnect", () => process.exit(2));

async function run(task: RunnerTask): Promise<void> {
  setInterval(() => send({ type: "beat" }), BEAT_MS);
  try {
    last(await report(task));
  } catch (error) {
    last({ type: "refused", reason: reasonOf(error) });
  }
}

async function report(task: RunnerTask): Promise<RunnerMessage> {
  const harness = await loadHarness(task.harness);
  const session = new Session(harness, task.options);
  send({ type: "loaded", name: harness.name, cases: session.cases.length });
  const outcomes: CaseOutcome[] = [...task.known];
  if (!task.onlySumUp) {
    const reason = await harnessProblem(session, task);
    if (reason !== undefined) return { type: "refused", reason };
    await runCases(session, task, outcomes);
  }
  const finished = await session.finish();
  const { profile } = harness;
  return {
    type: "report",
    report: buildReport({
      harness,
      tier: session.tier,
      seed: session.seed,
      partial: session.partial,
      probed: profile === "probe",
      profile: profile === "probe" ? finished.profile : completeProfile(profile, harness),
      outcomes,
      cases: session.cases,
      ms: finished.ms,
    }),
  };
}

async function harnessProblem(session: Session, task: RunnerTask): Promise<string | undefined> {
  const look = preflight(() => send({ type: "created" }), task.preflight);
  const { status, reason } = await session.run(look.case);
  return look.problem() ?? (status === "error" ? reason : undefined);
}

async function runCases(
  session: Session,
  { known, alone, bail }: RunnerTask,
  outcomes: CaseOutcome[],
): Promise<void> {
  const done = new Set(known.map(({ id }) => id));
  const left = session.cases.filter(({ id }) => !done.has(id));
  const isOver = (): boolean => bail && outcomes.some(({ status }) => BAD_STATUSES.has(status));
  const begin = async (tested: Case): Promise<void> => {
    if (isOver()) return;
    send({ type: "begin", id: tested.id, limitMs: session.longestMs(tested) });
    const outcome = await session.run(tested);
    // An unhandled rejection ends the process only once this turn is over: while the case is still under way.
    await turn();
    outcomes.push(outcome);
    send({ type: "outcome", outcome });
  };
  for (const tested of left) if (alone.includes(tested.id)) await begin(tested);
  const together = left.filter(({ id }) => !alone.includes(id));
  const work = async (queue: Iterable<Case>): Promise<void> => {
    // The workers share one iterator: each takes the next case that nobody has begun.
    for (const tested of queue) await begin(tested);
  };
  const { light, heavy } = byWeight(together);
  const shared = light.values();
  await Promise.all(Array.from({ length: session.concurrency }, () => work(shared)));
  await work(heavy);
}

function send(message: RunnerMessage): void {
  if (process.connected) process.send?.(message);
}

/** Ends this process once the message is out, whatever the backend still holds open. */
function last(message: RunnerMessage): void {
  process.send?.(message, () => process.exit(0));
}

function reasonOf(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
