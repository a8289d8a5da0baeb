import type { CaseContext } from "../engine/case-context.js";
import type { Row } from "./row.js";

/** A rule about every method, whatever its path meets: a column of the matrix. */
export interface Behaviour {
  readonly id: string;
  readonly rules: readonly [string, ...string[]];
  readonly needs?: readonly string[];
  readonly level?: "core" | "safe";
  readonly why: string;
  readonly hint?: string;
  /** See `Case`. */
  readonly patience?: number;
  /** Why the rule means nothing for a method; `undefined` where it applies. */
  without?(row: Row): string | undefined;
  run(context: CaseContext, row: Row): Promise<void>;
}
