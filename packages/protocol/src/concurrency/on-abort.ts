import { builtinModule } from "../host/builtin-modules.js";

// Other runtimes neither count listeners nor warn.
const events = builtinModule("node:events");

/** Runs a listener when a signal fires that has not fired yet; the returned function takes it away again. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  allowListeners(signal, 1);
  signal.addEventListener("abort", listener, { once: true });
  let listening = true;
  return () => {
    if (!listening) return;
    listening = false;
    signal.removeEventListener("abort", listener);
    allowListeners(signal, -1);
  };
}

// Many calls of one run share its signal. Each listener of ours ends with its call, so Node's warning of a leak would be wrong.
function allowListeners(signal: AbortSignal, more: 1 | -1): void {
  if (events === undefined) return;
  const limit = limitOf(signal, events.getMaxListeners);
  if (limit > 0) events.setMaxListeners(Math.max(1, limit + more), signal);
}

/** The listeners that a signal may have before Node warns; 0 for any number. */
function limitOf(signal: AbortSignal, getMaxListeners: (signal: AbortSignal) => number): number {
  try {
    return getMaxListeners(signal);
  } catch (error) {
    // On Node 20, a signal of `AbortSignal.any` has no limit and is not recognised.
    if (error instanceof TypeError) return 0;
    throw error;
  }
}
