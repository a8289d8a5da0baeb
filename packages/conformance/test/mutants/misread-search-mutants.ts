import type { GrepOptions, GrepResult, MemoryBackend } from "@fs/protocol";
import { expandBraces } from "@fs/protocol/hooks";
import { mutant, type Mutant } from "./mutant.js";

/** A search some of whose lines are judged by an expression of JavaScript. */
async function searchedBy(
  inner: MemoryBackend,
  matches: (text: string) => boolean,
  path: string | null | undefined,
): Promise<GrepResult> {
  const all = await inner.grep("", path, null, null, { regex: true });
  return all.matches === undefined
    ? all
    : { ...all, matches: all.matches.filter(({ text }) => matches(text)) };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()[\]\\]/g, "\\$&");
}

function isPlain(options: GrepOptions | undefined, name: "ignoreCase" | "regex"): boolean {
  return options?.[name] === true && Object.keys(options).length === 1;
}

/** A search whose pattern some tool takes for an instruction: it finds nothing, and no error says why. */
function taken(name: string, bug: string, means: RegExp): Mutant {
  return {
    ...mutant(`search/${name}`, "S1", bug, (inner) => ({
      grep: async (pattern, ...rest) => {
        const answer = await inner.grep(pattern, ...rest);
        return answer.error === undefined && means.test(pattern)
          ? { ...answer, matches: [] }
          : answer;
      },
    })),
    by: "grep/patterns-with-meaning",
  };
}

/** Patterns, filters and caps of searches that are taken for something else. */
export const MISREAD_SEARCH_MUTANTS: readonly Mutant[] = [
  taken("braces-of-find", "find puts names in place of the braces of a pattern.", /\{\}/),
  taken("option-of-grep", "A pattern that begins with a dash is an option.", /^-/),
  taken("directive-of-format", "A pattern with a percent sign is a format.", /%[sd]/),
  taken("range-of-lines", "What is between slashes is an address.", /^\/.?\/$/),
  {
    ...mutant("search/bar-is-a-choice", "S1", "With ignoreCase | is not escaped.", (inner) => ({
      grep: async (pattern, path, glob, max, options) => {
        if (!isPlain(options, "ignoreCase") || pattern.length === 0)
          return inner.grep(pattern, path, glob, max, options);
        const expression = new RegExp(escaped(pattern.toLowerCase()));
        return searchedBy(inner, (text) => expression.test(text.toLowerCase()), path);
      },
    })),
    by: "grep/ignore-case-is-literal",
  },
  {
    ...mutant("search/spaces-of-unicode", "S8", "The expressions are JavaScript's.", (inner) => ({
      grep: async (pattern, path, glob, max, options) => {
        if (!isPlain(options, "regex")) return inner.grep(pattern, path, glob, max, options);
        const expression = new RegExp(pattern);
        return searchedBy(inner, (text) => expression.test(text), path);
      },
    })),
    by: "grep/regex-ascii-classes",
  },
  {
    ...mutant("search/groups-of-python", "S8", "(?P<name>…) is refused.", (inner) => ({
      grep: async (pattern, ...rest) =>
        pattern.includes("(?P<")
          ? { error: `'${pattern}' cannot be read.`, code: "invalid_pattern" }
          : inner.grep(pattern, ...rest),
    })),
    by: "grep/regex-named-groups",
  },
  {
    ...mutant("search/cap-of-a-thousand", "S7", "A cap over 1000 is 1000.", (inner) => ({
      grep: async (pattern, path, glob, max, options) => {
        if (typeof max !== "number" || max <= 1000)
          return inner.grep(pattern, path, glob, max, options);
        const { truncated: _, ...rest } = await inner.grep(pattern, path, glob, 1000, options);
        return rest;
      },
    })),
    by: "scale/cap-over-a-thousand",
  },
  {
    ...mutant(
      "search/alternatives-apart",
      "S5",
      "Each alternative of a filter is judged for a slash of its own.",
      (inner) => ({
        grep: async (pattern, path, glob, max, options) => {
          const own = await inner.grep(pattern, path, glob, max, options);
          if (glob == null || own.matches === undefined) return own;
          const matches = [...own.matches];
          const expanded = expandBraces(glob);
          if (expanded.problem !== undefined) return own;
          for (const one of expanded.alternatives)
            for (const match of (await inner.grep(pattern, path, one)).matches ?? [])
              if (!matches.some((other) => other.path === match.path)) matches.push(match);
          return { ...own, matches };
        },
      }),
    ),
    by: "grep/filter-brace-with-slash",
  },
  {
    ...mutant("search/bang-excludes", "S5", "A filter with ! leaves files out.", (inner) => ({
      grep: async (pattern, path, glob, ...rest) => {
        if (glob?.startsWith("!") !== true) return inner.grep(pattern, path, glob, ...rest);
        const out = (await inner.grep(pattern, path, glob.slice(1))).matches ?? [];
        const all = await inner.grep(pattern, path);
        const left = all.matches?.filter((match) => !out.some(({ path: at }) => at === match.path));
        return left === undefined ? all : { ...all, matches: left };
      },
    })),
    by: "grep/filter-bang",
  },
  {
    ...mutant("glob/hash-is-a-comment", "G1", "A pattern with # finds nothing.", (inner) => ({
      glob: async (pattern, ...rest) =>
        pattern.startsWith("#") ? { files: [] } : inner.glob(pattern, ...rest),
    })),
    by: "glob/negation-is-literal",
  },
  {
    ...mutant("glob/composes-patterns", "P4", "Patterns are normalised to NFC.", (inner) => ({
      glob: (pattern, ...rest) => inner.glob(pattern.normalize("NFC"), ...rest),
    })),
    by: "glob/own-spelling",
  },
];
