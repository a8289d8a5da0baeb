import { setImmediate as turn } from "node:timers/promises";
import type { MemoryBackend } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

/** Characters of the column that holds a pattern. */
const COLUMN = 255;

const CHANGES = ["write", "edit", "multiEdit", "delete", "move", "copy", "uploadFiles"] as const;

type Changes = Pick<MemoryBackend, (typeof CHANGES)[number]>;

/** The changes of a backend, each of which calls a listener first. */
function heard(inner: MemoryBackend, listener: () => void): Partial<Changes> {
  const calls = CHANGES.map((method) => {
    const call = (...args: unknown[]): unknown => {
      listener();
      return Reflect.apply(inner[method], inner, args);
    };
    return [method, call];
  });
  return Object.fromEntries(calls) as Partial<Changes>;
}

/** Arguments of searches and reads that are cut, that run into each other, or that equal calls share. */
export const ARGUMENT_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "grep/pattern-cut",
      "S1",
      "A long pattern is cut to the width of a column.",
      (inner) => ({
        grep: (pattern, ...rest) =>
          inner.grep(typeof pattern === "string" ? pattern.slice(0, COLUMN) : pattern, ...rest),
      }),
    ),
    by: "grep/long-patterns",
  },
  {
    ...mutant(
      "glob/pattern-cut",
      "G1",
      "A long pattern is cut, and what begins with the rest is found.",
      (inner) => ({
        glob: (pattern, ...rest) =>
          inner.glob(
            typeof pattern === "string" && pattern.length > COLUMN && pattern.length <= 1024
              ? `${pattern.slice(0, pattern.lastIndexOf("/"))}/*`
              : pattern,
            ...rest,
          ),
      }),
    ),
    by: "glob/long-patterns",
  },
  {
    ...mutant(
      "grep/context-split-at-numbers",
      "S8",
      "The path of a line of context is cut off at the first number between dashes.",
      (inner) => ({
        grep: async (...args) => {
          const answer = await inner.grep(...args);
          if (answer.matches === undefined) return answer;
          const matches = answer.matches.map((match) => {
            const { before: _, after: __, ...bare } = match;
            return /-\d+-/.test(match.path) ? bare : match;
          });
          return { ...answer, matches };
        },
      }),
    ),
    by: "grep/context-like-an-answer",
  },
  {
    ...mutant(
      "grep/key-of-joined-arguments",
      "S1",
      "Answers are kept until the next change, under path, pattern and filter with colons between them.",
      (inner) => {
        const kept = new Map<string, ReturnType<typeof inner.grep>>();
        return {
          ...heard(inner, () => kept.clear()),
          grep: async (pattern, path, filter, count, options) => {
            if (count != null || options != null)
              return inner.grep(pattern, path, filter, count, options);
            const key = `${path}:${pattern}:${filter}`;
            const answer = kept.get(key) ?? inner.grep(pattern, path, filter);
            kept.set(key, answer);
            return structuredClone(await answer);
          },
        };
      },
    ),
    by: "grep/arguments-apart",
  },
  {
    ...mutant(
      "read/key-of-joined-arguments",
      "R1",
      "Pages are kept until the next change, under path, offset and limit with nothing between them.",
      (inner) => {
        const kept = new Map<string, ReturnType<typeof inner.read>>();
        return {
          ...heard(inner, () => kept.clear()),
          read: async (path, offset, limit, options) => {
            if (typeof offset !== "number" || typeof limit !== "number" || options != null)
              return inner.read(path, offset, limit, options);
            const key = `${path}${offset}${limit}`;
            const answer = kept.get(key) ?? inner.read(path, offset, limit);
            kept.set(key, answer);
            return structuredClone(await answer);
          },
        };
      },
    ),
    by: "read/arguments-apart",
  },
  {
    ...mutant(
      "glob/pages-share-a-query",
      "A7",
      "Equal searches at once share a query, whatever page each of them asks for.",
      (inner) => {
        const underWay = new Map<string, ReturnType<typeof inner.glob>>();
        return {
          glob: async (pattern, path, options) => {
            const key = JSON.stringify([pattern, path]);
            const known = underWay.get(key);
            if (known !== undefined && options?.signal === undefined)
              return structuredClone(await known);
            const query = turn().then(() => inner.glob(pattern, path, options));
            underWay.set(key, query);
            void query.finally(() => underWay.delete(key));
            return structuredClone(await query);
          },
        };
      },
    ),
    by: "conc/own-arguments",
  },
  {
    ...mutant(
      "read/follows-the-last-signal",
      "A8",
      "A read without a signal joins the equal one that began last before it, and with it its signal.",
      (inner) => {
        const underWay = new Map<string, ReturnType<typeof inner.read>>();
        return {
          read: async (path, offset, limit, options) => {
            const key = `${path} ${offset} ${limit}`;
            const known = underWay.get(key);
            if (known !== undefined && options?.signal === undefined)
              return structuredClone(await known);
            const request = turn().then(() => inner.read(path, offset, limit, options));
            underWay.set(key, request);
            void request.finally(() => underWay.delete(key));
            return structuredClone(await request);
          },
        };
      },
    ),
    by: "guard/aborted-among-equals",
  },
];
