import { asWritten } from "../call/as-written.js";
import { attempt } from "../call/attempt.js";
import { METHODS, type MethodName } from "../call/methods.js";
import type { CallOptions } from "../types/options.js";
import type { Failure } from "../types/outcome.js";

/**
 * Answers a routed call: whatever is thrown becomes a result.
 *
 * @param written The paths of the call as its caller wrote them; a sentence that fails it names them so.
 */
export async function attemptAsWritten<T, O extends CallOptions>(
  method: MethodName,
  written: readonly unknown[],
  options: O | undefined,
  task: (options: O) => Promise<T>,
): Promise<T | Failure> {
  const call = { operation: method, path: written[0], method: METHODS[method] };
  return asWritten(await attempt(call, options, task), written);
}
