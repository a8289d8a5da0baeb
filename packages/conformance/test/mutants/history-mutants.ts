import type { BackendProtocolV2, MemoryBackend } from "@fs/protocol";
import { mutant, type Mutant, type Overrides } from "./mutant.js";

type Call = (...args: never[]) => unknown;

/** Methods that change files, each with something done when it is over. */
function afterChanges(
  inner: MemoryBackend,
  then: (method: string, path: string) => void,
): Partial<BackendProtocolV2> {
  const methods = ["write", "edit", "multiEdit", "delete", "move", "copy", "uploadFiles"] as const;
  const wrapped = methods.map((method) => {
    const call = inner[method].bind(inner) as Call;
    const changed = async (...args: never[]): Promise<unknown> => {
      const answer = await call(...args);
      const [first] = args as unknown[];
      const paths = Array.isArray(first) && method === "uploadFiles" ? first : [[first]];
      for (const [path] of paths as ReadonlyArray<readonly [string]>) then(method, path);
      return answer;
    };
    return [method, changed] as const;
  });
  return Object.fromEntries(wrapped);
}

/** Answers that are shared while the first of them is under way, by a key of some of the arguments. */
function sharing(method: "grep" | "read" | "glob", keyOf: (args: unknown[]) => unknown): Overrides {
  return (inner) => {
    const underWay = new Map<string, Promise<unknown>>();
    const call = inner[method].bind(inner) as Call;
    const shared = (...args: never[]): Promise<unknown> => {
      const key = JSON.stringify(keyOf(args));
      const pending =
        underWay.get(key) ??
        Promise.resolve(call(...args)).finally(() => void underWay.delete(key));
      underWay.set(key, pending);
      return pending;
    };
    return { [method]: shared };
  };
}

const bys = (mutants: readonly Mutant[]): Mutant[] =>
  mutants.map((one) => ({ ...one, by: "explore/without-history" }));

/** What is said of files depends on what was asked before, or is asked at the same time. */
export const HISTORY_MUTANTS: readonly Mutant[] = bys([
  mutant(
    "grep/shared-whatever-filter",
    "A7",
    "Searches that are under way are shared by all that ask for the same text, whatever files they ask of.",
    sharing("grep", ([pattern, path, , count, options]) => [pattern, path, count, options]),
  ),
  mutant(
    "read/shared-whatever-limit",
    "A7",
    "Reads that are under way are shared by all that begin at one line, whatever their limit.",
    sharing("read", ([path, offset]) => [path, offset]),
  ),
  mutant(
    "glob/shared-whatever-page",
    "A7",
    "Patterns that are being looked for are shared by all pages.",
    sharing("glob", ([pattern, path]) => [pattern, path]),
  ),
  mutant(
    "grep/nothing-there-is-kept",
    "A7",
    "That a text is nowhere is kept until a file is written or edited: what a move or a copy brings there is not found.",
    (inner) => {
      const nowhere = new Set<string>();
      return {
        ...afterChanges(inner, (method) => {
          if (method !== "move" && method !== "copy") nowhere.clear();
        }),
        grep: async (...args) => {
          const key = JSON.stringify(args);
          if (nowhere.has(key)) return { matches: [] };
          const answer = await inner.grep(...args);
          if (answer.matches?.length === 0) nowhere.add(key);
          return answer;
        },
      };
    },
  ),
  mutant(
    "grep/searches-in-one-file-are-kept",
    "A7",
    "A search in one file is kept until that file is changed by name: not where the directory above it is.",
    (inner) => {
      const kept = new Map<string, Map<string, unknown>>();
      return {
        ...afterChanges(inner, (_, path) => void kept.delete(path)),
        grep: (async (pattern: string, path: string, ...rest: never[]) => {
          const ofPath = kept.get(path) ?? new Map<string, unknown>();
          const key = JSON.stringify([pattern, rest]);
          const answer: unknown = ofPath.get(key) ?? (await inner.grep(pattern, path, ...rest));
          if ((await inner.stat(path)).info?.is_dir === false || ofPath.has(key))
            kept.set(path, ofPath.set(key, answer));
          return answer;
        }) as never,
      };
    },
  ),
]);
