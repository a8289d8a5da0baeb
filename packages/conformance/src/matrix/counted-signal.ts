import { setImmediate as turn } from "node:timers/promises";
import type { CaseContext } from "../engine/case-context.js";
import { NotApplicable } from "../engine/check-failure.js";

/** Rounds of collection after which what is left is held by somebody. */
const ROUNDS = 10;

export interface CountedSignal {
  readonly signal: AbortSignal;
  /** How many listeners stay; `undefined` where some do and this host cannot collect garbage, so that nobody knows. */
  left(): Promise<number | undefined>;
}

/**
 * A signal that counts what listens to it. Node's own `fetch` leaves a listener that goes with the garbage, which is no fault of
 * its caller: where listeners are left, garbage is collected before they count.
 */
export function countedSignal(): CountedSignal {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  Object.defineProperty(signal, "addEventListener", {
    value: (...args: Parameters<AbortSignal["addEventListener"]>): void => {
      const [, listener, options] = args;
      listeners.add(listener);
      if (typeof options === "object")
        options.signal?.addEventListener("abort", () => listeners.delete(listener));
      addEventListener.apply(signal, args);
    },
  });
  Object.defineProperty(signal, "removeEventListener", {
    value: (...args: Parameters<AbortSignal["removeEventListener"]>): void => {
      listeners.delete(args[1]);
      removeEventListener.apply(signal, args);
    },
  });
  return {
    signal,
    left: async () => {
      await turn();
      if (listeners.size === 0) return 0;
      const collect = collector();
      if (collect === undefined) return undefined;
      for (let round = 0; round < ROUNDS && listeners.size > 0; round++) {
        collect();
        await turn();
      }
      return listeners.size;
    },
  };
}

/** A8: nothing listens to the signal any more. Ends the case where this host cannot count listeners. */
export async function requireNoneLeft(
  { check }: CaseContext,
  { left }: CountedSignal,
  what: string,
): Promise<void> {
  const listening = await left();
  if (listening === undefined)
    throw new NotApplicable("whether listeners stay shows only where garbage can be collected");
  check.equal(listening, 0, `What listens to the signal ${what}`, "A8");
}

interface Host {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
}

/** Collects garbage at once, or `undefined` in a host that is not Node. */
function collector(): (() => void) | undefined {
  const { process }: Host = globalThis;
  const v8 = process?.getBuiltinModule?.("node:v8") as
    | { setFlagsFromString(flag: string): void }
    | undefined;
  const vm = process?.getBuiltinModule?.("node:vm") as
    | { runInNewContext(code: string): unknown }
    | undefined;
  if (v8 === undefined || vm === undefined) return undefined;
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc");
  v8.setFlagsFromString("--no-expose-gc");
  return typeof collect === "function" ? (collect as () => void) : undefined;
}
