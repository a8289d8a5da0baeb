import type { GuardedBackend } from "../engine/guard.js";
import { show } from "../report/render.js";
import type { Exploration } from "./exploration.js";
import type { Dice } from "./dice.js";

/** An answer of any method. */
export type Answer = Readonly<Record<string, unknown>>;

/** A call with what the rules say of it, before it is made. */
export interface PlannedCall {
  readonly method: string;
  readonly args: readonly unknown[];
  /** Canonical paths that it changes, or that its answer describes: what lies elsewhere does not matter to it. */
  readonly touches: readonly string[];
  /** Whether it may change something, also where it should be refused. */
  readonly changes: boolean;
  /** Asserts that the answer is right, and takes what the call has changed over into the model. */
  readonly settle: (answer: unknown) => void;
  /** Makes the call, where it is more than one. */
  readonly make?: (backend: GuardedBackend) => Promise<unknown>;
}

/** Plans a call; `undefined` where the rules leave open what it would do, or nothing is there for it. */
export type Plan = (exploration: Exploration, dice: Dice) => PlannedCall | undefined;

/** A call as a sentence names it. */
export function sentenceOf({ method, args }: Pick<PlannedCall, "method" | "args">): string {
  return `${method}(${args.map((arg) => show(arg)).join(", ")})`;
}

/** Asserts that a call was refused with one of these codes, or that it was not. Returns whether it should have been. */
export function judge(
  { context }: Exploration,
  answer: unknown,
  { codes, what, rule }: { codes: readonly string[] | undefined; what: string; rule: string },
): boolean {
  if (codes === undefined) context.check.succeeded(answer as Answer, what, rule);
  else context.check.failed(answer as Answer, codes, what, rule);
  return codes !== undefined;
}

/** F3: takes over what a change has stored, and judges the version and the size that the answer gives. */
export function stored(
  exploration: Exploration,
  { path, bytes, what }: { path: string; bytes: Uint8Array; what: string },
  answer: Answer,
): void {
  const { version, size } = answer;
  exploration.changed(path);
  exploration.model.put(path, bytes);
  if (size !== undefined)
    exploration.context.check.equal(size, bytes.length, `'size' of ${what}`, "F3");
  exploration.know(path, bytes, version, what);
}
