import { emitWarning } from "../host/emit-warning.js";

/**
 * Runs a listener of the host. What it throws, or rejects with, is a warning of the process: it must not turn an answer into
 * an exception.
 */
export function guardListener(listener: () => unknown): void {
  try {
    const answer = listener();
    if (answer instanceof Promise) answer.catch(warn);
  } catch (thrown) {
    warn(thrown);
  }
}

function warn(thrown: unknown): void {
  emitWarning(thrown instanceof Error ? thrown : String(thrown));
}
