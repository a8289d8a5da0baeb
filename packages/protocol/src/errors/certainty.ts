import type { ErrorCode } from "./codes.js";
import { failureFromThrown } from "./from-thrown.js";
import { VolumeError } from "./volume-error.js";

/** Codes after which nobody knows whether the call took effect. */
const UNCERTAIN: ReadonlySet<ErrorCode> = new Set(["unavailable", "timeout", "aborted"]);

/**
 * What a network filesystem also answers to its own repetition of a request whose answer was lost. What else the operating
 * system refuses, for want of room or of a permission, it has not begun.
 */
const MAY_BE_ITS_OWN: ReadonlySet<ErrorCode> = new Set(["not_found", "already_exists"]);

/**
 * Whether an error of a change leaves open if the change happened: the storage did not answer, or not with a refusal of its
 * own. Nothing may be undone then, because the undoing could be what loses the file.
 */
export function isUncertain(error: unknown): boolean {
  if (VolumeError.isInstance(error)) return UNCERTAIN.has(error.code);
  const { code } = failureFromThrown(error, "");
  return UNCERTAIN.has(code) || MAY_BE_ITS_OWN.has(code);
}

/** Whether a failed answer of a change leaves open if the change happened, by its code. */
export function isUncertainCode(code: string): boolean {
  const uncertain: ReadonlySet<string> = UNCERTAIN;
  return uncertain.has(code);
}

/** Whether an error is a refusal with a given code. */
export function isCode(error: unknown, ...codes: readonly ErrorCode[]): error is VolumeError {
  return VolumeError.isInstance(error) && codes.includes(error.code);
}
