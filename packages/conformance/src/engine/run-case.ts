import type { Case } from "../cases/case.js";
import type { ExpectedFailure } from "../harness/harness.js";
import { failureText } from "../report/failure-text.js";
import type { CaseOutcome, FailureDetail, Status } from "../report/report.js";
import type { CaseContext } from "./case-context.js";
import { CheckFailure, Inconclusive, NotApplicable, Untested } from "./check-failure.js";
import { OwnTime } from "./own-time.js";

/** How a case ended, before expectations about it are taken into account. */
interface Ending {
  readonly late?: Late;
  readonly status: Status;
  readonly reason?: string;
  readonly failure?: FailureDetail;
}

/** How a case took too long: it came to its end after its limit, or had not by then. */
type Late = "ended" | "unended";

/** How a case ended, and whether it took too long while others ran: then the time may have been theirs. */
export interface RunOfCase {
  readonly outcome: CaseOutcome;
  readonly lateBesideOthers?: Late;
}

/** What {@link runCase} needs besides the case. */
export interface CaseRun {
  readonly context: CaseContext;
  /** Runs the body where the backend works. */
  readonly around: (body: () => Promise<void>) => Promise<void>;
  /** Milliseconds that a call may take, times the patience of the case. */
  readonly timeoutMs: number;
  /** Fires the signal of the context. */
  readonly abort: () => void;
  /** Whether other cases ran meanwhile, so that the time that passed may be theirs. */
  readonly crowded: () => boolean;
  readonly expected: ExpectedFailure | undefined;
}

/** Runs one case on a fresh backend. Never throws: what goes wrong is the outcome. */
export async function runCase(tested: Case, run: CaseRun): Promise<RunOfCase> {
  const { context } = run;
  const start = performance.now();
  const ended = await endingOf(tested, run);
  const ending = judged(ended, run.expected);
  const { failure } = ending;
  const outcome: CaseOutcome = {
    id: tested.id,
    rules: tested.rules,
    level: tested.level,
    status: ending.status,
    ...(ending.reason === undefined ? {} : { reason: ending.reason }),
    assertions: context.check.assertions,
    ms: performance.now() - start,
    warnings: context.warnings,
    ...(failure === undefined ? {} : { failure, text: failureText(tested, failure, context.seed) }),
  };
  return ended.late === undefined ? { outcome } : { outcome, lateBesideOthers: ended.late };
}

async function endingOf(
  tested: Case,
  { context, around, timeoutMs, abort, crowded }: CaseRun,
): Promise<Ending> {
  const limit = timeoutMs * (tested.patience ?? 1);
  const time = new OwnTime(limit, context.transcript);
  try {
    const thrown: { error?: unknown; any: boolean } = { any: false };
    // Kept aside, because a graph or a transaction around the body may wrap what it throws.
    const guarded = async (): Promise<void> => {
      try {
        await tested.run(context);
      } catch (error) {
        thrown.any = true;
        thrown.error = error;
      }
    };
    const body = around(guarded).then((): undefined => undefined);
    // What the body does after it was given up is nobody's business any more.
    body.catch(() => undefined);
    const late = await Promise.race([body, time.late]);
    if (thrown.any) throw thrown.error;
    const sentence = late ?? time.lateByTheClock;
    if (sentence !== undefined) {
      abort();
      const message = `${sentence} Where the storage is slow, and no call hangs, raise the harness's 'timeoutMs'.`;
      const failure = detail(tested, context, new CheckFailure(message));
      const how = late === undefined ? "ended" : "unended";
      return { status: "timeout", failure, ...(crowded() ? { late: how } : {}) };
    }
    if (context.violation !== undefined) throw context.violation;
    if (context.check.assertions === 0) throw new Error("The case asserted nothing.");
    return { status: "pass" };
  } catch (error) {
    return endingFromThrown(tested, context, error);
  } finally {
    time.stop();
  }
}

function endingFromThrown(tested: Case, context: CaseContext, error: unknown): Ending {
  // A rule that a call broke is broken, also where the case could say nothing further.
  const undecided = error instanceof NotApplicable || error instanceof Inconclusive;
  if (undecided && context.violation !== undefined)
    return { status: "fail", failure: detail(tested, context, context.violation) };
  if (error instanceof Untested) return { status: "untested", reason: error.message };
  if (error instanceof NotApplicable) return { status: "not-applicable", reason: error.message };
  if (error instanceof Inconclusive) return { status: "inconclusive", reason: error.message };
  const failure = context.violation ?? error;
  if (failure instanceof CheckFailure)
    return { status: "fail", failure: detail(tested, context, failure) };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    status: "error",
    reason: text,
    failure: detail(tested, context, new CheckFailure(text)),
  };
}

function detail(tested: Case, context: CaseContext, failure: CheckFailure): FailureDetail {
  return {
    message: failure.message,
    rule: failure.rule ?? tested.rules[0],
    difference: failure.difference,
    transcript: context.transcript.lines(),
    snippet: context.transcript.snippet(),
  };
}

function judged(ending: Ending, expected: ExpectedFailure | undefined): Ending {
  if (expected === undefined) return ending;
  const reason = `${expected.reason} (${expected.issue})`;
  if (ending.status === "fail" || ending.status === "timeout")
    return { ...ending, status: "xfail", reason };
  if (ending.status === "pass") {
    return {
      status: "xpass",
      reason: `It passes now: take it off the expected failures. It was there because: ${reason}`,
    };
  }
  return ending;
}
