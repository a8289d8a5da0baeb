import type { Listing, Volume } from "@fs/protocol/author";
import type { Faults } from "../harness/harness.js";

type Mode = "none" | "cut" | "stall" | "lose" | "refuse" | "fill" | "read-only";

/** What a method does to the files. */
type Effect = "reads" | "stores" | "removes";

/** The methods of a volume, hooks included. */
type Method = Exclude<
  {
    [K in keyof Volume]-?: NonNullable<Volume[K]> extends (...args: never[]) => unknown ? K : never;
  }[keyof Volume],
  "close"
>;

/** The effect of every method. One that the SPI has and this list lacks does not compile. */
const EFFECTS: Readonly<Record<Method, Effect>> = {
  get: "reads",
  put: "stores",
  remove: "removes",
  list: "reads",
  listPage: "reads",
  stat: "reads",
  readPage: "reads",
  edit: "stores",
  grep: "reads",
  getMany: "reads",
  kindMany: "reads",
  putMany: "stores",
  removeMany: "removes",
  removeTree: "removes",
  moveFile: "stores",
  moveTree: "stores",
  copyFile: "stores",
  copyTree: "stores",
};

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
  const before = async (effect: Effect): Promise<void> => {
    if (latencyMs > 0)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * latencyMs));
    const { mode } = state;
    if (mode === "cut") throw storageError("ECONNREFUSED");
    if (mode === "refuse") throw storageError("EACCES");
    if (mode === "stall") await state.healed;
    if (mode === "fill" && effect === "stores") throw storageError("ENOSPC");
    if (mode === "read-only" && effect !== "reads") throw storageError("EROFS");
  };
  const after = (effect: Effect): void => {
    if (state.mode === "lose" && effect !== "reads") throw storageError("ECONNRESET");
  };
  const volume = new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function" || !isMethod(name)) return value;
      const effect = EFFECTS[name];
      if (name === "list") {
        return async function* list(...args: unknown[]) {
          await before(effect);
          yield* Reflect.apply(value, target, args) as Listing;
        };
      }
      return async (...args: unknown[]): Promise<unknown> => {
        await before(effect);
        const answer: unknown = await Reflect.apply(value, target, args);
        after(effect);
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
      readOnly: during("read-only"),
    },
  };
}

function isMethod(name: string | symbol): name is Method {
  return Object.hasOwn(EFFECTS, name);
}

/** An error as drivers throw it, with an address that no agent may see. */
function storageError(code: string): Error {
  return Object.assign(new Error(`${code} 10.0.0.1:5432 password=hunter2`), { code });
}
