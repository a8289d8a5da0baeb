import type { Volume } from "@fs/protocol/author";
import type { Faults } from "../harness/harness.js";

type Mode = "none" | "cut" | "stall" | "lose" | "refuse" | "fill";

/** Methods of a volume that store something. */
const STORES: ReadonlySet<string> = new Set([
  "put",
  "putMany",
  "edit",
  "moveFile",
  "copyFile",
  "moveTree",
]);
const REMOVES: ReadonlySet<string> = new Set(["remove", "removeTree"]);

/** A volume that fails when told to, and what tells it. */
export interface FaultyVolume {
  readonly volume: Volume;
  readonly faults: Required<Faults>;
}

/**
 * Puts faults between a backend and its volume: what `faults` of a harness needs, for any backend on a `Volume`.
 *
 * @param options.latencyMs Milliseconds that every request takes on top, chosen at random up to this. Default 0.
 * @example
 * const { volume, faults } = faultyVolume(new MyVolume());
 * const harness = { name: "mine", create: () => new VolumeBackend(volume), faults: () => faults };
 */
export function faultyVolume(inner: Volume, { latencyMs = 0 } = {}): FaultyVolume {
  const state: { mode: Mode; healed: Promise<void> } = { mode: "none", healed: Promise.resolve() };
  const during = (mode: Mode) => () => {
    let heal: (() => void) | undefined;
    state.mode = mode;
    state.healed = new Promise((resolve) => {
      heal = resolve;
    });
    return () => {
      state.mode = "none";
      heal?.();
    };
  };
  const before = async (method: string): Promise<void> => {
    if (latencyMs > 0)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * latencyMs));
    const { mode } = state;
    if (mode === "cut") throw storageError("ECONNREFUSED");
    if (mode === "refuse") throw storageError("EACCES");
    if (mode === "stall") await state.healed;
    if (mode === "fill" && STORES.has(method)) throw storageError("ENOSPC");
  };
  const after = (method: string): void => {
    if (state.mode === "lose" && (STORES.has(method) || REMOVES.has(method)))
      throw storageError("ECONNRESET");
  };
  const volume = new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function" || name === "close") return value;
      if (name === "list") {
        return async function* list(...args: unknown[]) {
          await before("list");
          yield* Reflect.apply(value, target, args) as AsyncIterable<unknown>;
        };
      }
      return async (...args: unknown[]): Promise<unknown> => {
        await before(String(name));
        const answer: unknown = await Reflect.apply(value, target, args);
        after(String(name));
        return answer;
      };
    },
  });
  return {
    volume,
    faults: {
      cut: during("cut"),
      stall: during("stall"),
      loseAnswers: during("lose"),
      refuse: during("refuse"),
      fill: during("fill"),
    },
  };
}

/** An error as drivers throw it, with an address that no agent may see. */
function storageError(code: string): Error {
  return Object.assign(new Error(`${code} 10.0.0.1:5432 password=hunter2`), { code });
}
