import { BAD_STATUSES, type CaseOutcome } from "./report.js";

/** Failures that say the same but for the values in them. */
export interface Cause {
  /** What the first of them says. */
  readonly message: string;
  readonly rule: string | undefined;
  readonly ids: readonly string[];
}

/** What a failure is about: its sentence without the texts, the numbers and the case in it. */
export function causeKey({ failure, reason, status }: CaseOutcome): string {
  const sentence = (failure?.message ?? reason ?? "")
    // What came before differs from case to case.
    .replace(/ (?:after|beside|before|during|to the peer|in the end)\b.*$/s, "")
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/'[^']*'/g, "'…'")
    .replaceAll(/\/[^\s,.:]+/g, "/…")
    .replaceAll(/\d+/g, "0");
  return `${status} ${failure?.rule ?? ""} ${sentence.slice(0, 160)}`;
}

/** The failures of a run by what they are about, those with most cases first. */
export function causesOf(outcomes: readonly CaseOutcome[]): Cause[] {
  const causes = new Map<string, CaseOutcome[]>();
  for (const outcome of outcomes) {
    if (!BAD_STATUSES.has(outcome.status)) continue;
    const key = causeKey(outcome);
    causes.set(key, [...(causes.get(key) ?? []), outcome]);
  }
  return [...causes.values()]
    .map((found) => ({
      message: found[0]?.failure?.message ?? found[0]?.reason ?? "",
      rule: found[0]?.failure?.rule,
      ids: found.map(({ id }) => id),
    }))
    .toSorted((a, b) => b.ids.length - a.ids.length);
}

/** What explains failures of a rule where the storage really differs: a field of the profile, or one of the answers. */
const EXPLAINED_BY: Readonly<Record<string, string>> = {
  A8: "profile.signals: false, if no call listens to a signal",
  A10: "profile.codes: false, if failures have no 'code'",
  D2: 'profile.directories: "real", if a directory stays when its last file goes',
  F2: "profile.versions: false, if reads give no 'version'",
  F3: "profile.versions: false, if changes answer no 'version'",
  L2: "the field 'size', in bytes, of every file in ls",
  P4: "profile.names, if the storage folds case or normalises",
  R7: 'profile.content: "text", if only text can be stored',
  S8: "profile.regex: false, if searches are for literal text only",
  W1: 'profile.writeMode: "overwrite", if write replaces',
  W2: 'profile.collisions: "allowed", if the storage cannot distinguish a file from a directory',
  W5: "profile.versions: false, if 'ifVersion' is not known",
  W7: 'profile.times: "observed", if the storage keeps none',
};

/** Failures of one rule from which on its explanation is worth a line. */
const MANY = 3;

/** Fields of the profile, or of answers, that would explain many failures of one rule. */
export function explanationsOf(causes: readonly Cause[]): string[] {
  const counts = new Map<string, number>();
  for (const { rule, ids } of causes)
    if (rule !== undefined) counts.set(rule, (counts.get(rule) ?? 0) + ids.length);
  return [...counts].flatMap(([rule, count]) => {
    const field = EXPLAINED_BY[rule];
    return field === undefined || count < MANY ? [] : [`${rule} (${count} cases): ${field}`];
  });
}
