import type { ErrorCode } from "./codes.js";
import { failureFromThrown } from "./from-thrown.js";
import { VolumeError } from "./volume-error.js";

/** Codes after which nobody knows whether the call took effect. */
const UNCERTAIN: ReadonlySet<ErrorCode> = new Set(["unavailable", "timeout", "aborted"]);

/**
 * Whether an error of a change leaves open if the change happened: the storage did not answer, or not with a refusal of its
 * own. Nothing may be undone then, because the undoing could be what loses the file.
 */
export function isUncertain(error: unknown): boolean {
  if (VolumeError.isInstance(error)) return UNCERTAIN.has(error.code);
  // What the operating system refuses to do it has not begun.
  return failureFromThrown(error, "").code !== "permission_denied";
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
