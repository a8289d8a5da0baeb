import type { MaybePromise } from "../types/outcome.js";

/** Returns whether a value has to be waited for. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

/** The answer of a task as a promise, also where it throws at once. A promise of its own is passed on as it is. */
export function promised<T>(task: () => MaybePromise<T>): Promise<T> {
  try {
    return Promise.resolve(task());
  } catch (error) {
    // As it was thrown, whatever it is.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    return Promise.reject(error);
  }
}
