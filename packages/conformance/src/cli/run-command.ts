import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { RunOptions } from "../engine/session.js";
import { BAD_STATUSES, type Report } from "../report/report.js";
import type { RunArguments } from "./arguments.js";
import { selectedCases } from "./catalogue-commands.js";
import { verdictOf } from "./exit-code.js";
import { junitOf } from "./junit.js";
import { markdownOf } from "./markdown.js";
import { Progress } from "./progress.js";
import { summaryOf } from "./summary.js";
import { Supervisor } from "./supervisor.js";
import { UsageError } from "./usage-error.js";
import { writeOutput } from "./write-output.js";

/** Cases named in the line that runs them again. */
const MAX_LISTED = 10;

/** Runs the suite on one backend. Progress and failures go to standard error, the summary to standard output. */
export async function runCommand(args: RunArguments): Promise<number> {
  const harness = resolve(args.harness);
  if (!existsSync(harness))
    throw new UsageError(
      `There is no file '${args.harness}'. 'fs-conformance init' writes one to begin with.`,
    );
  if (statSync(harness).isDirectory())
    throw new UsageError(`'${args.harness}' is a folder. Name the file of the harness.`);
  const options = optionsOf(args);
  const progress = new Progress(process.stderr);
  const supervisor = new Supervisor(
    { harness, options, bail: args.bail },
    { stallMs: args.stallMs, listener: progress },
  );
  const release = endWithSignals(supervisor);
  const ended = await supervisor.run();
  release();
  progress.end();
  if ("problem" in ended) {
    console.error(`The harness does not work: ${ended.problem}`);
    return 2;
  }
  const { report } = ended;
  writeReports(report, args);
  const { code, sentence } = verdictOf(report, args.level);
  console.log([summaryOf(report), sentence, ...again(report, args)].join("\n"));
  return code;
}

/**
 * Lets a signal end the process of the backend before this one: a blocked one would not notice that its parent is gone.
 *
 * @returns What takes the listeners away.
 */
function endWithSignals(supervisor: Supervisor): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const end = (signal: NodeJS.Signals): void => {
    supervisor.end();
    release();
    // Now without a listener: who started this process sees by which signal it ended.
    process.kill(process.pid, signal);
  };
  const release = (): void => {
    for (const signal of signals) process.off(signal, end);
  };
  for (const signal of signals) process.on(signal, end);
  return release;
}

/** How to run again what did not pass. */
function again({ cases, seed, tier }: Report, { harness }: RunArguments): string[] {
  const bad = cases.filter(({ status }) => BAD_STATUSES.has(status)).map(({ id }) => id);
  if (bad.length === 0) return [];
  const only = bad.length > MAX_LISTED ? [bad[0]] : bad;
  return [
    `Again: fs-conformance ${harness} --tier ${tier} --seed ${seed} --only ${only.join(",")}`,
  ];
}

function optionsOf(args: RunArguments): RunOptions {
  const { tier, seed, only, skip, replay, strict, concurrency } = args;
  // Before a process is started for nothing.
  selectedCases(tier, only && listed(only), skip && listed(skip));
  return {
    tier,
    seed,
    strict,
    ...(only === undefined ? {} : { only: listed(only) }),
    ...(skip === undefined ? {} : { skip: listed(skip) }),
    ...(replay === undefined ? {} : { replay }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}

/** `--only a,b --only c` as three patterns. */
export function listed(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => pattern.split(","));
}

function writeReports(report: Report, { json, junit, md }: RunArguments): void {
  if (json !== undefined) writeOutput(json, `${JSON.stringify(report, null, 2)}\n`);
  if (junit !== undefined) writeOutput(junit, junitOf(report));
  if (md !== undefined) writeOutput(md, markdownOf(report));
}
