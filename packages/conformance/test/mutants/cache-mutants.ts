import { setTimeout as delay } from "node:timers/promises";
import { MemoryBackend, type BackendProtocolV2 } from "@fs/protocol";
import { mutant, overlay, type Mutant } from "./mutant.js";

type View = "read" | "readRaw" | "stat" | "ls" | "glob" | "grep" | "downloadFiles";
type Call = (...args: unknown[]) => Promise<unknown>;

const CHANGES = ["write", "edit", "multiEdit", "delete", "move", "copy", "uploadFiles"] as const;

/** The paths that a change names. */
function pathsOf(change: (typeof CHANGES)[number], args: readonly unknown[]): unknown[] {
  const [first, second] = args;
  if (change === "uploadFiles")
    return Array.isArray(first) ? first.map((file: unknown) => (file as unknown[])[0]) : [];
  return change === "move" || change === "copy" ? [first, second] : [first];
}

/** A backend that remembers a view's answers by `keyOf`, until a change for which `drops` says so of a key. */
function remembering(
  view: View,
  drops: (key: string, paths: readonly unknown[]) => boolean,
  keyOf: (args: readonly unknown[]) => string = (args) => JSON.stringify(args),
): BackendProtocolV2 {
  const inner = new MemoryBackend();
  const known = new Map<string, unknown>();
  const look = inner[view].bind(inner) as Call;
  const changes = CHANGES.map((change) => [
    change,
    async (...args: unknown[]): Promise<unknown> => {
      const answer = await (inner[change] as Call)(...args);
      const paths = pathsOf(change, args);
      for (const key of known.keys()) if (drops(key, paths)) known.delete(key);
      return answer;
    },
  ]);
  return overlay(inner, {
    ...Object.fromEntries(changes),
    withoutHooks: undefined,
    [view]: async (...args: unknown[]) => {
      const key = keyOf(args);
      const answer = known.get(key) ?? (await look(...args));
      known.set(key, structuredClone(answer));
      return structuredClone(answer);
    },
  });
}

function caching(
  name: string,
  rule: string,
  bug: string,
  ...how: Parameters<typeof remembering>
): Mutant {
  return { name: `cache/${name}`, rule, bug, create: () => remembering(...how) };
}

/** Answers that are kept by the path without the slash at its end, and given before the path is judged. */
function withoutSlash(view: View): Mutant {
  const bug = `${view} keeps its answers by the path without the slash at its end.`;
  const keyOf = ([path, ...rest]: readonly unknown[]): string =>
    JSON.stringify([typeof path === "string" ? path.replace(/\/+$/, "") : path, ...rest]);
  return {
    ...caching(`${view}-without-slash`, "P2", bug, view, () => true, keyOf),
    by: "path/every-ending",
  };
}

/** Answers that are kept by the first arguments alone, until anything changes. */
function byFirst(view: View, rule: string, count: number): Mutant {
  const bug = `${view} keeps its answers by its first arguments, and answers for all others with them.`;
  const keyOf = (args: readonly unknown[]): string => JSON.stringify(args.slice(0, count));
  return {
    ...caching(`${view}-by-first-arguments`, rule, bug, view, () => true, keyOf),
    by: "guard/asked-otherwise",
  };
}

const holds = (key: string, path: unknown): boolean => key.includes(JSON.stringify(path));

/** Looks that share one answer, which is on its way for a while. */
function shared(view: View): Mutant {
  return mutant(
    `cache/${view}-under-way-is-shared`,
    "A7",
    `A ${view} that begins after a change is answered by one that began before it.`,
    (inner) => {
      const underWay = new Map<string, Promise<unknown>>();
      const look = inner[view].bind(inner) as Call;
      const slow = async (args: unknown[]): Promise<unknown> => {
        const answer = await look(...args);
        await delay(3);
        return answer;
      };
      return {
        [view]: async (...args: unknown[]) => {
          const key = JSON.stringify(args);
          const pending = underWay.get(key) ?? slow(args).finally(() => underWay.delete(key));
          underWay.set(key, pending);
          return structuredClone(await pending);
        },
      };
    },
  );
}

/** Caches that drop too little, or take one call for another. */
export const CACHE_MUTANTS: readonly Mutant[] = [
  ...(["read", "readRaw", "stat"] as const).map(withoutSlash),
  byFirst("grep", "S1", 3),
  byFirst("glob", "G1", 2),
  byFirst("ls", "L1", 1),
  ...(["read", "glob", "grep", "readRaw"] as const).map(shared),
  ...(["read", "readRaw"] as const).map((view) =>
    caching(
      `${view}-of-exact-paths`,
      "A7",
      "A change of a directory leaves what is known of its files.",
      view,
      (key, paths) => paths.some((path) => holds(key, path)),
    ),
  ),
  caching(
    "ls-of-parents",
    "A7",
    "A change drops the listing of its directory, not of those above.",
    "ls",
    (key, paths) =>
      paths.some(
        (path) =>
          typeof path === "string" && holds(key, path.slice(0, path.lastIndexOf("/")) || "/"),
      ),
  ),
  caching(
    "ls-with-a-slash",
    "P1",
    "A directory written with a slash is remembered apart, and never dropped.",
    "ls",
    (key) => !/[^"]\/"/.test(key),
  ),
  caching(
    "read-as-written",
    "P1",
    "Paths are remembered as written, and dropped as canonical.",
    "read",
    (key) => !/\/\/|\/\.\//.test(key),
  ),
  caching(
    "first-of-a-batch",
    "A7",
    "A batch drops what is known of its first file.",
    "read",
    (key, paths) => paths.length <= 2 || holds(key, paths[0]),
  ),
  caching(
    "case",
    "P4",
    "What is known of a name is known of it in other letters.",
    "read",
    () => true,
    (args) => JSON.stringify(args).toLowerCase(),
  ),
  caching(
    "page",
    "R1",
    "Pages are remembered by their offset, whatever the limit.",
    "read",
    () => true,
    ([path, offset]) => JSON.stringify([path, offset]),
  ),
  caching(
    "search-options",
    "S8",
    "Searches are remembered without their options.",
    "grep",
    () => true,
    (args) => JSON.stringify(args.slice(0, 4)),
  ),
];
