import { attempt } from "../call/attempt.js";
import { METHODS, type MethodName } from "../call/methods.js";
import { failureAbout, quote } from "../errors/messages.js";
import { canonicalPath } from "../paths/path.js";
import type { CallOptions } from "../types/options.js";
import type { Failure, Sentence } from "../types/outcome.js";

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

/**
 * A failed result whose sentence names paths as the caller wrote them: the backends below were called with canonical ones.
 */
function asWritten<R>(result: R, written: readonly unknown[]): R {
  const { error }: { error?: Sentence } = result as object;
  if (error === undefined) return result;
  const names = new Map<string, string>();
  for (const path of written) {
    const canonical = canonicalPath(path);
    if (typeof path === "string" && canonical.failure === undefined && canonical.path !== path)
      names.set(canonical.path, path);
  }
  if (names.size === 0) return result;
  const renamed = failureAbout(result, (path) => names.get(path) ?? path);
  if (renamed !== undefined) return renamed;
  let sentence: string = error;
  for (const [canonical, path] of names)
    sentence = sentence.replaceAll(quote(canonical), () => quote(path));
  return { ...result, error: sentence };
}
