import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";
import { type BackendProtocolV2, failure, MemoryVolume } from "@fs/protocol";
import { ancestorsOf, isWithin, VolumeBackend } from "@fs/protocol/author";
import { mutant, overlay, type Mutant } from "./mutant.js";

/** Files of which one change gives notice. */
const NOTICES = 100;

type Change = "delete" | "move" | "uploadFiles";
type Call = (...args: unknown[]) => Promise<{ error?: unknown }>;

/** A backend that removes the files of a directory one after another, and ends between two of them when it is aborted. */
function endingEarly(): VolumeBackend {
  const inner = new VolumeBackend(new MemoryVolume());
  return overlay(inner, {
    delete: async (path: string, options?: { signal?: AbortSignal }) => {
      const { files } = await inner.glob("**", path);
      if (files === undefined || options?.signal === undefined) return inner.delete(path, options);
      for (const [n, file] of files.entries()) {
        await turn();
        if (options.signal.aborted)
          return failure("aborted", `${n} files of ${path} were removed, the others are left.`);
        await inner.delete(file.path);
      }
      return { path };
    },
  });
}

/** What of the files that were read before a change is forgotten after it. */
type Forget = (
  known: Map<string, unknown>,
  roots: readonly string[],
  answer: { error?: unknown },
) => void;

/** A backend that remembers what it has read, until a change of the file. */
function remembering(inner: VolumeBackend, of: Change, forget: Forget): BackendProtocolV2 {
  const known = new Map<string, unknown>();
  const changes = (
    ["write", "edit", "multiEdit", "delete", "move", "copy", "uploadFiles"] as const
  ).map((change) => [
    change,
    async (...args: unknown[]): Promise<unknown> => {
      const answer = await (inner[change] as unknown as Call)(...args);
      const [first, second] = args;
      const roots =
        change === "uploadFiles"
          ? (first as Array<[string, unknown]>).map(([path]) => path)
          : [String(first), ...(change === "move" || change === "copy" ? [String(second)] : [])];
      if (change === of) forget(known, roots, answer);
      else known.clear();
      return answer;
    },
  ]);
  return overlay(inner, {
    ...Object.fromEntries(changes),
    withoutHooks: undefined,
    read: async (
      path: string,
      ...rest: Parameters<VolumeBackend["read"]> extends [unknown, ...infer R] ? R : never
    ) => {
      const key = rest.length === 0 ? path : "";
      const answer = known.get(key) ?? (await inner.read(path, ...rest));
      if (key !== "" && (answer as { error?: unknown }).error === undefined) known.set(key, answer);
      return structuredClone(answer);
    },
  });
}

const below = (known: Map<string, unknown>, roots: readonly string[]): string[] =>
  [...known.keys()].filter((path) => roots.some((root) => isWithin(path, root)));

/** Only so many of the files of one change are forgotten. */
function bounded(change: Change, rule: string): Mutant {
  return {
    name: `${change}/gives-notice-of-a-hundred`,
    rule,
    bug: `Of the files that one ${change} has changed, a hundred are forgotten, and the others are answered as they were read.`,
    create: () =>
      remembering(new VolumeBackend(new MemoryVolume()), change, (known, roots) => {
        for (const path of below(known, roots).slice(0, NOTICES)) known.delete(path);
      }),
    by: `${change === "uploadFiles" ? "upload" : change}/many-read-before`,
  };
}

/** A page of what is gone is empty. */
function emptyPages(method: "ls" | "glob", rule: string): Mutant {
  return {
    ...mutant(
      `${method}/no-more-of-what-is-gone`,
      rule,
      `A page of ${method} that goes on in a directory which is gone is empty.`,
      (inner) => ({
        [method]: async (...args: unknown[]) => {
          const answer = await (inner[method] as Call)(...args);
          const { after } = (args.at(-1) ?? {}) as { after?: unknown };
          return after !== undefined && answer.error !== undefined ? { files: [] } : answer;
        },
      }),
    ),
    by: `${method}/pages-of-what-is-gone`,
  };
}

/** Entries of pages, which another part of the code makes. */
function otherEntries(method: "ls" | "glob"): Mutant {
  return {
    ...mutant(
      `${method}/pages-say-when-files-were-made`,
      "L2",
      `A page of ${method} gives the time at which a file was created for that at which it was changed.`,
      (inner) => ({
        [method]: async (...args: unknown[]) => {
          const answer = (await (inner[method] as Call)(...args)) as {
            files?: Array<{ path: string; modified_at?: string }>;
          };
          const { limit } = (args.at(-1) ?? {}) as { limit?: unknown };
          if (limit === undefined || answer.files === undefined) return answer;
          for (const file of answer.files) {
            const { data } = await inner.readRaw(file.path);
            if (data !== undefined) file.modified_at = data.created_at;
          }
          return answer;
        },
      }),
    ),
    by: `${method}/pages-in-full`,
  };
}

/** What is kept after a change, or given to a call that is not quite the same. */
export const NOTICE_MUTANTS: readonly Mutant[] = [
  bounded("move", "M1"),
  bounded("delete", "D1"),
  bounded("uploadFiles", "T1"),
  emptyPages("ls", "L4"),
  emptyPages("glob", "G4"),
  otherEntries("ls"),
  otherEntries("glob"),
  {
    name: "delete/forgets-at-its-end",
    rule: "A7",
    bug: "What was read of a directory is forgotten when its removal is done, and not when it ends early.",
    create: () =>
      remembering(endingEarly(), "delete", (known, roots, { error }) => {
        if (error !== undefined) return;
        for (const path of below(known, roots)) known.delete(path);
      }),
    by: "conc/aborted-after-reads",
  },
  {
    ...mutant(
      "grep/shares-a-request-without-its-lines",
      "S8",
      "Searches at the same time share one request where they differ in the lines around alone.",
      (inner) => {
        const underWay = new Map<string, ReturnType<typeof inner.grep>>();
        return {
          grep: async (pattern, path, glob, count, options) => {
            const { ignoreCase, regex } = options ?? {};
            const key = JSON.stringify([pattern, path, glob, count, ignoreCase, regex]);
            const pending =
              underWay.get(key) ??
              delay(2)
                .then(() => inner.grep(pattern, path, glob, count, options))
                .finally(() => underWay.delete(key));
            underWay.set(key, pending);
            return structuredClone(await pending);
          },
        };
      },
    ),
    by: "guard/asked-otherwise-at-once",
  },
  {
    ...mutant(
      "glob/plan-of-the-pattern-alone",
      "G2",
      "Which directories a pattern enters is kept by the pattern, wherever it begins.",
      (inner) => {
        const plans = new Map<string, boolean>();
        return {
          glob: async (pattern, path, ...rest) => {
            const answer = await inner.glob(pattern, path, ...rest);
            const { files: all = [] } = await inner.glob("**", path);
            const directories = new Set(all.flatMap((file) => ancestorsOf(file.path)));
            const closed = [...directories].filter((directory) => {
              const key = `${pattern}\0${directory}`;
              const enters =
                plans.get(key) ??
                answer.files?.some((file) => isWithin(file.path, directory)) ??
                true;
              plans.set(key, enters);
              return !enters;
            });
            const files = answer.files?.filter(
              (file) => !closed.some((directory) => isWithin(file.path, directory)),
            );
            return files === undefined ? answer : { ...answer, files };
          },
        };
      },
    ),
    by: "guard/asked-otherwise",
  },
  {
    ...mutant(
      "ls/pages-share-the-first-signal",
      "A8",
      "Equal pages of ls share one request, which carries the signal of the first.",
      (inner) => {
        const underWay = new Map<string, ReturnType<typeof inner.ls>>();
        return {
          ls: async (path, options) => {
            const { limit, after, signal: _ } = options ?? {};
            if (limit === undefined) return inner.ls(path, options);
            const key = JSON.stringify([path, limit, after]);
            const pending =
              underWay.get(key) ??
              turn()
                .then(() => inner.ls(path, options))
                .finally(() => underWay.delete(key));
            underWay.set(key, pending);
            return structuredClone(await pending);
          },
        };
      },
    ),
    by: "guard/aborted-among-equals",
  },
];
