import type { CaseContext } from "./case-context.js";
import { CheckFailure } from "./check-failure.js";

/** Calls the backend itself: the guard would copy the arguments and the result. */
export async function unguardedCall(
  context: CaseContext,
  method: string,
  args: unknown[],
): Promise<unknown> {
  const { backend } = context.instance;
  const called: unknown = Reflect.get(backend, method);
  if (typeof called !== "function") throw new TypeError(`The backend has no method '${method}'.`);
  try {
    return (await Reflect.apply(called, backend, args)) as unknown;
  } catch (error) {
    // Not the suite broke, but a rule: the guard, which would say so, is not in between.
    const why = error instanceof Error ? error.message : String(error);
    throw new CheckFailure(`${method} threw: ${why}`, { rule: "A1" });
  }
}
