import { MemoryBackend, MemoryVolume, type BackendProtocolV2 } from "@fs/protocol";
import { VolumeBackend, type ListQuery, type VolumeEntry } from "@fs/protocol/author";
import type { DeclaredProfile } from "@fs/conformance";
import { overlay } from "./mutant.js";

/** A backend that is correct, however strange: the suite must pass it. */
export interface OddBackend {
  readonly name: string;
  readonly what: string;
  /** What it does not have, it does not claim. */
  readonly profile: DeclaredProfile;
  create(): BackendProtocolV2;
}

/** A storage that lists its files backwards. */
class ReversedVolume extends MemoryVolume {
  override readonly listsInOrder = false;

  override async *list(directory: string, query: ListQuery): AsyncGenerator<VolumeEntry> {
    const entries: VolumeEntry[] = [];
    for await (const entry of super.list(directory, query)) entries.push(entry);
    yield* entries.toReversed();
  }
}

const OPTIONAL = ["delete", "move", "copy", "multiEdit", "uploadFiles", "downloadFiles"] as const;

/** The signal of options, unless a getter would have to be asked: that may throw. */
function signalOf(options: unknown): unknown {
  return Object.getOwnPropertyDescriptor(Object(options), "signal")?.value;
}

export const ODD_BACKENDS: readonly OddBackend[] = [
  {
    name: "slow",
    what: "answers after a random while",
    profile: {},
    create: () => {
      const inner = new MemoryBackend();
      return new Proxy(inner, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== "function") return value;
          return async (...args: unknown[]): Promise<unknown> => {
            const answer: unknown = await Reflect.apply(value, target, args);
            await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
            return answer;
          };
        },
      });
    },
  },
  {
    name: "reversed",
    what: "its storage lists backwards",
    profile: {},
    create: () => new VolumeBackend(new ReversedVolume()),
  },
  {
    name: "bare",
    what: "has no optional method at all",
    profile: { transfer: false, delete: false, move: false, copy: false, multiEdit: false },
    create: () =>
      overlay(new MemoryBackend(), Object.fromEntries(OPTIONAL.map((name) => [name, undefined]))),
  },
  {
    name: "keeping",
    what: "keeps what it is given, and moves, copies and removes nothing",
    profile: { delete: false, move: false, copy: false },
    create: () =>
      overlay(new MemoryBackend(), { delete: undefined, move: undefined, copy: undefined }),
  },
  {
    name: "one-by-one",
    what: "has no batches",
    profile: { transfer: false },
    create: () =>
      overlay(new MemoryBackend(), { uploadFiles: undefined, downloadFiles: undefined }),
  },
  {
    name: "overwriting",
    what: "replaces on write, and says so",
    profile: { writeMode: "overwrite" },
    create: () => new MemoryBackend({ writeMode: "overwrite" }),
  },
  {
    name: "own-words",
    what: "has its own sentences, with the same codes",
    profile: {},
    create: () => {
      const inner = new MemoryBackend();
      return overlay(inner, {
        // What it says differs from what the same storage says without hooks: there is nothing to compare.
        withoutHooks: undefined,
        write: async (...args: Parameters<MemoryBackend["write"]>) => {
          const result = await inner.write(...args);
          return result.error === undefined
            ? { ...result, metadata: { odd: true } }
            : { ...result, error: `Nope: ${result.error}` };
        },
      });
    },
  },
  {
    name: "listening",
    what: "takes its listeners off a signal with the garbage, as Node's fetch does, or by another signal",
    profile: {},
    create: () => {
      const inner = new MemoryBackend();
      const dropped = new FinalizationRegistry<() => void>((drop) => drop());
      const listener = (): void => undefined;
      return overlay(inner, {
        read: async (...args: Parameters<MemoryBackend["read"]>) => {
          const signal = signalOf(args[3]);
          const own = (): void => undefined;
          if (signal instanceof AbortSignal) {
            signal.addEventListener("abort", own);
            dropped.register({}, () => signal.removeEventListener("abort", own));
          }
          return inner.read(...args);
        },
        readRaw: async (...args: Parameters<MemoryBackend["readRaw"]>) => {
          const done = new AbortController();
          const signal = signalOf(args[1]);
          if (signal instanceof AbortSignal)
            signal.addEventListener("abort", listener, { signal: done.signal });
          const answer = await inner.readRaw(...args);
          done.abort();
          return answer;
        },
      });
    },
  },
];
