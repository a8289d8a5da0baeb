import type { Harness } from "../harness/harness.js";
import type { Profile } from "../harness/profile.js";
import type { Need } from "../cases/case.js";

/** Parts of a harness that a case may need. */
const HARNESS_PARTS = new Set(["peer", "reopen", "outOfBand", "meter", "around", "faults"]);

/** What keeps a case from running: what the profile rules out does not apply, what the harness lacks is untested. */
export interface Unmet {
  readonly status: "not-applicable" | "untested";
  readonly reason: string;
}

/** Why a case is not run, or `undefined` when all it needs is there. What does not apply comes before what is missing. */
export function unmetNeed(
  needs: readonly Need[],
  profile: Profile,
  harness: Harness,
): Unmet | undefined {
  for (const need of needs.filter((one) => !isPart(one))) {
    const reason = profileReason(need, profile);
    if (reason !== undefined) return { status: "not-applicable", reason };
  }
  for (const need of needs.filter(isPart)) {
    const reason = harnessReason(need, harness);
    if (reason !== undefined)
      return { status: need.startsWith("!") ? "not-applicable" : "untested", reason };
  }
  return undefined;
}

function isPart(need: Need): boolean {
  return HARNESS_PARTS.has(need.replace("!", ""));
}

function harnessReason(need: string, harness: Harness): string | undefined {
  const negated = need.startsWith("!");
  const part = negated ? need.slice(1) : need;
  const present = harness[part as keyof Harness] !== undefined;
  if (present !== negated) return undefined;
  return negated ? `the harness has '${part}'` : `the harness has no '${part}'`;
}

function profileReason(need: string, profile: Profile): string | undefined {
  const negated = need.startsWith("!");
  const [path = "", wanted] = (negated ? need.slice(1) : need).split("=");
  const value = lookUp(profile, path);
  const met = wanted === undefined ? isClaimed(value) : String(value) === wanted;
  if (met !== negated) return undefined;
  return `the profile has ${path}: ${JSON.stringify(value) ?? "undefined"}`;
}

function isClaimed(value: unknown): boolean {
  return value !== undefined && value !== false;
}

function lookUp(profile: Profile, path: string): unknown {
  let value: unknown = profile;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !(key in value)) {
      if (value === profile) throw new Error(`No field '${path}' in the profile.`);
      return undefined;
    }
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
