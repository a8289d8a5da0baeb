import { groupOf, type Case, type Level, type Tier } from "../cases/case.js";
import { suiteDigest, suiteVersion } from "../cases/suite-version.js";
import type { Harness } from "../harness/harness.js";
import { DEFAULT_PROFILE, type Profile } from "../harness/profile.js";
import {
  BAD_STATUSES,
  STATUSES,
  type CaseOutcome,
  type GroupTotal,
  type LevelState,
  type Report,
  type Status,
} from "./report.js";

/** What a report sums up. */
export interface RunSummary {
  readonly harness: Harness;
  readonly tier: Tier;
  readonly seed: number;
  readonly partial: boolean;
  readonly probed: boolean;
  readonly profile: Profile;
  readonly outcomes: readonly CaseOutcome[];
  readonly cases: readonly Case[];
  readonly ms: number;
  /** What broke outside of any case. */
  readonly problems?: readonly string[];
}

/** The report of a run. Selected cases without an outcome are `not-run`. */
export function buildReport(run: RunSummary): Report {
  const cases = inOrder(run);
  return {
    schema: 1,
    suite: { version: suiteVersion(), cases: cases.length, digest: suiteDigest() },
    backend: {
      name: run.harness.name,
      ...(run.harness.version === undefined ? {} : { version: run.harness.version }),
    },
    environment: { node: process.version, platform: `${process.platform}-${process.arch}` },
    date: new Date().toISOString(),
    tier: run.tier,
    seed: run.seed,
    partial: run.partial,
    profile: run.profile,
    probed: run.probed,
    levels: levelsOf(run, cases),
    deviations: deviationsOf(run.profile),
    totals: totalsOf(cases),
    groups: groupsOf(cases),
    warnings: [
      ...(run.problems ?? []),
      ...cases.flatMap(({ id, warnings }) => warnings.map((warning) => `${id}: ${warning}`)),
    ],
    cases,
    ms: run.ms,
    ok: !cases.some(({ status }) => BAD_STATUSES.has(status)),
  };
}

function inOrder({ cases, outcomes }: RunSummary): CaseOutcome[] {
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  return cases.map(
    ({ id, rules, level }) =>
      byId.get(id) ?? { id, rules, level, status: "not-run", assertions: 0, ms: 0, warnings: [] },
  );
}

function totalsOf(cases: readonly CaseOutcome[]): Record<Status, number> {
  const totals = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<
    Status,
    number
  >;
  for (const { status } of cases) totals[status]++;
  return totals;
}

function groupsOf(cases: readonly CaseOutcome[]): Record<string, GroupTotal> {
  const groups: Record<string, GroupTotal> = {};
  for (const { id, status } of cases) {
    const group = groupOf(id);
    const total = groups[group] ?? { passed: 0, applicable: 0, notApplicable: 0, untested: 0 };
    groups[group] = {
      passed: total.passed + (status === "pass" ? 1 : 0),
      applicable: total.applicable + (wasRun(status) ? 1 : 0),
      notApplicable: total.notApplicable + (status === "not-applicable" ? 1 : 0),
      untested: total.untested + (status === "untested" ? 1 : 0),
    };
  }
  return groups;
}

/** `core` must pass for any other level. What a profile does not claim is never earned by cases that do not apply. */
function levelsOf(run: RunSummary, cases: readonly CaseOutcome[]): Record<Level, LevelState> {
  const core = levelState(run, cases, "core");
  const atop = (level: Level, claimed: boolean): LevelState => {
    if (!claimed) return "not-claimed";
    const own = levelState(run, cases, level);
    return own === "earned" ? core : own;
  };
  const races = atop("safe", true);
  const safe = races === "earned" && !acrossClients(run) ? "one-client" : races;
  const durable = atop("durable", run.profile.durable);
  return {
    core,
    safe,
    durable: durable === "earned" && races !== "earned" ? races : durable,
    exec: atop("exec", run.profile.execute !== false),
  };
}

function levelState(run: RunSummary, cases: readonly CaseOutcome[], level: Level): LevelState {
  const own = cases.filter((outcome) => outcome.level === level && wasRun(outcome.status));
  const unclean = own.some(({ status }) => status !== "pass");
  if (unclean) return "withheld";
  if (run.partial || run.probed) return "partial";
  return own.length === 0 ? "withheld" : "earned";
}

/** Whether the case applies and had what it needs. */
function wasRun(status: Status): boolean {
  return status !== "not-applicable" && status !== "untested";
}

/** Whether races across two clients were run: they are claimed, and the harness can make a second client. */
function acrossClients({ harness, profile }: RunSummary): boolean {
  return (
    harness.peer !== undefined &&
    profile.atomicity === "clients" &&
    profile.consistency === "strong"
  );
}

/** The fields of a profile that are not as the whole contract has them, as `"delete: false"`. */
function deviationsOf(profile: Profile): string[] {
  return Object.entries(profile).flatMap(([field, value]) => {
    const standard: unknown = DEFAULT_PROFILE[field as keyof Profile];
    const same = JSON.stringify(value) === JSON.stringify(standard);
    // More than is asked for is no deviation.
    const isExtra = value !== false && ["execute", "watch", "durable"].includes(field);
    return same || isExtra ? [] : [`${field}: ${JSON.stringify(value)}`];
  });
}
