import type { CaseContext } from "../engine/case-context.js";

/** What a backend earns by passing: `core` the rules, `safe` races, `durable` restarts, `exec` commands. */
export type Level = "core" | "safe" | "durable" | "exec";

/** How much is run: `quick` for every commit, `full` for a release, `soak` overnight. */
export type Tier = "quick" | "full" | "soak";

/**
 * What a case needs, as a text: a flag of the profile (`"transfer"`, `"!execute"`), a value of it (`"writeMode=create"`),
 * or a part of the harness (`"peer"`, `"outOfBand.symlink"`). Unmet, the case is not applicable, and says why.
 */
export type Need = string;

/** One checked behaviour. */
export interface Case {
  /** `group/name`, never changed once published. */
  readonly id: string;
  /** Rules of `docs/semantics.md`, the first being the one that a failure quotes. */
  readonly rules: readonly [string, ...string[]];
  readonly level: Level;
  readonly needs: readonly Need[];
  /** The lowest tier that runs it. Default `"quick"`. */
  readonly tier?: Tier;
  /** What is right, in one sentence. */
  readonly why: string;
  /** What an author who fails it probably did. */
  readonly hint?: string;
  /** How many times the usual time limit it, and each of its calls, may take. Default 1. */
  readonly patience?: number;
  /** Most of its time it waits for a clock. Default `false`. */
  readonly waits?: boolean;
  run(context: CaseContext): Promise<void>;
}

/** The group of a case: what stands before the slash of its ID. */
export function groupOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}
