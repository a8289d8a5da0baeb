import type { CallOptions } from "../types/options.js";
import type { Failure } from "../types/outcome.js";
import { asWritten } from "./as-written.js";
import { attempt, type ErrorListener } from "./attempt.js";
import { METHODS, type MethodName } from "./methods.js";

/** What the border of a backend adds to a call. */
interface Border {
  readonly onError?: ErrorListener | undefined;
  /** What becomes of a path before it is made canonical. */
  readonly resolve?: (path: unknown) => unknown;
}

/**
 * Answers a call of a method: whatever is thrown becomes a result.
 *
 * @param written The paths of the call as its caller wrote them; a sentence that fails it names them so.
 */
export async function attemptAsWritten<T, O extends CallOptions>(
  method: MethodName,
  written: readonly unknown[],
  options: O | undefined,
  task: (options: O) => Promise<T>,
  { onError, resolve }: Border = {},
): Promise<T | Failure> {
  const call = { operation: method, path: written[0], method: METHODS[method], onError };
  return asWritten(await attempt(call, options, task), written, resolve);
}
