import type { GrepMatch, GrepResult } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

function matching(result: GrepResult, change: (matches: GrepMatch[]) => GrepMatch[]): GrepResult {
  return result.matches === undefined ? result : { ...result, matches: change(result.matches) };
}

/** Options of a search that are forgotten when they meet. */
export const SEARCH_MUTANTS: readonly Mutant[] = [
  mutant(
    "search/regex-ignores-ignore-case",
    "S8",
    "A regular expression ignores ignoreCase.",
    (inner) => ({
      grep: (pattern, path, glob, max, options) =>
        inner.grep(
          pattern,
          path,
          glob,
          max,
          options?.regex === true ? { ...options, ignoreCase: false } : options,
        ),
    }),
  ),
  mutant("search/regex-without-context", "S8", "A regular expression has no context.", (inner) => ({
    grep: (pattern, path, glob, max, options) =>
      inner.grep(
        pattern,
        path,
        glob,
        max,
        options?.regex === true ? { ...options, before: 0, after: 0 } : options,
      ),
  })),
  mutant("search/regex-without-cap", "S7", "A regular expression has no cap.", (inner) => ({
    grep: (pattern, path, glob, max, options) =>
      inner.grep(pattern, path, glob, options?.regex === true ? null : max, options),
  })),
  mutant(
    "search/regex-without-filter",
    "S5",
    "A regular expression ignores the filter.",
    (inner) => ({
      grep: (pattern, path, glob, max, options) =>
        inner.grep(pattern, path, options?.regex === true ? null : glob, max, options),
    }),
  ),
  mutant(
    "search/phantom-last-line",
    "S8",
    "A regular expression matches an empty line behind the last one.",
    (inner) => ({
      grep: async (pattern, path, glob, max, options) => {
        const result = await inner.grep(pattern, path, glob, max, options);
        if (
          options?.regex !== true ||
          result.matches === undefined ||
          !["", "^$", "x*"].includes(pattern)
        )
          return result;
        const last = result.matches.at(-1);
        return last === undefined
          ? result
          : { ...result, matches: [...result.matches, { ...last, line: last.line + 1, text: "" }] };
      },
    }),
  ),
  mutant("search/cap-of-zero-is-none", "S7", "A cap of 0 counts as no cap.", (inner) => ({
    grep: (pattern, path, glob, max, options) =>
      inner.grep(pattern, path, glob, max === 0 ? null : max, options),
  })),
  mutant(
    "search/exact-cap-is-truncated",
    "S7",
    "A search that finds exactly the cap says truncated.",
    (inner) => ({
      grep: async (pattern, path, glob, max, options) => {
        const result = await inner.grep(pattern, path, glob, max, options);
        return typeof max === "number" && result.matches?.length === max
          ? { ...result, truncated: true }
          : result;
      },
    }),
  ),
  mutant(
    "search/cap-never-truncated",
    "S7",
    "A search that was capped does not say so beyond ten.",
    (inner) => ({
      grep: async (pattern, path, glob, max, options) => {
        const { truncated, ...rest } = await inner.grep(pattern, path, glob, max, options);
        return truncated === true && typeof max === "number" && max < 3
          ? { ...rest, truncated }
          : rest;
      },
    }),
  ),
  mutant(
    "search/context-across-files",
    "S8",
    "The first match has a line before it that is not there.",
    (inner) => ({
      grep: async (pattern, path, glob, max, options) =>
        matching(await inner.grep(pattern, path, glob, max, options), (matches) =>
          matches.map((match) =>
            match.line === 1 && match.before !== undefined ? { ...match, before: [""] } : match,
          ),
        ),
    }),
  ),
  mutant(
    "search/context-newest-first",
    "S8",
    "The lines before a match are in reverse.",
    (inner) => ({
      grep: async (pattern, path, glob, max, options) =>
        matching(await inner.grep(pattern, path, glob, max, options), (matches) =>
          matches.map((match) =>
            match.before === undefined ? match : { ...match, before: match.before.toReversed() },
          ),
        ),
    }),
  ),
  mutant(
    "search/filter-of-a-file",
    "S5",
    "A filter is ignored where the path is a file.",
    (inner) => ({
      grep: async (pattern, path, glob, max, options) => {
        const whole = await inner.ls(path ?? "/");
        return inner.grep(
          pattern,
          path,
          whole.code === "not_directory" ? null : glob,
          max,
          options,
        );
      },
    }),
  ),
  mutant(
    "search/ignore-case-of-the-path",
    "S8",
    "ignoreCase ignores the case of the filter too.",
    (inner) => ({
      grep: (pattern, path, glob, max, options) =>
        inner.grep(
          pattern,
          path,
          options?.ignoreCase === true && typeof glob === "string"
            ? `{${glob},${glob.toUpperCase()},${glob.toLowerCase()}}`
            : glob,
          max,
          options,
        ),
    }),
  ),
  mutant(
    "search/hidden-count-against-the-cap",
    "S7",
    "Hidden files use up the cap, and are left out.",
    (inner) => ({
      grep: async (...args) =>
        matching(await inner.grep(...args), (matches) =>
          typeof args[3] === "number"
            ? matches.filter(({ path }) => !path.includes("/."))
            : matches,
        ),
    }),
  ),
  mutant("glob/question-is-optional", "G1", "? matches nothing as well.", (inner) => ({
    glob: (pattern, path, options) =>
      inner.glob(
        typeof pattern === "string" && /^[^[\]{}\\]*\?$/.test(pattern)
          ? `{${pattern},${pattern.slice(0, -1)}}`
          : pattern,
        path,
        options,
      ),
  })),
  mutant("glob/class-negation", "G1", "[!…] is read as […].", (inner) => ({
    glob: (pattern, path, options) =>
      inner.glob(typeof pattern === "string" ? pattern.replace("[!", "[") : pattern, path, options),
  })),
  mutant(
    "glob/globstar-needs-one",
    "G1",
    "** within a pattern spans one directory at least.",
    (inner) => ({
      glob: (pattern, path, options) =>
        inner.glob(
          typeof pattern === "string" ? pattern.replace("/**/", "/*/**/") : pattern,
          path,
          options,
        ),
    }),
  ),
  mutant(
    "glob/case-insensitive-extensions",
    "G1",
    "Extensions are compared without case.",
    (inner) => ({
      glob: async (pattern, path, options) => {
        const result = await inner.glob(pattern, path, options);
        if (typeof pattern !== "string" || result.files === undefined || !/\.[a-z]+$/.test(pattern))
          return result;
        const more = await inner.glob(
          pattern.replace(/\.[a-z]+$/, (end) => end.toUpperCase()),
          path,
          options,
        );
        return { ...result, files: [...result.files, ...(more.files ?? [])] };
      },
    }),
  ),
  mutant("grep/filter-without-escapes", "S5", "A filter loses its backslashes.", (inner) => ({
    grep: (pattern, path, glob, ...rest) =>
      inner.grep(
        pattern,
        path,
        typeof glob === "string" ? glob.replaceAll("\\", "") : glob,
        ...rest,
      ),
  })),
  mutant("glob/dash-escapes-lost", "G1", "A backslash before a dash is lost.", (inner) => ({
    glob: (pattern, ...rest) =>
      inner.glob(typeof pattern === "string" ? pattern.replaceAll("\\-", "-") : pattern, ...rest),
  })),
  mutant(
    "glob/flat-braces",
    "G1",
    "Braces at the end of braces lose what is before them.",
    (inner) => ({
      glob: (pattern, ...rest) =>
        inner.glob(
          typeof pattern === "string"
            ? pattern.replaceAll(/\{([^{}]*)\{([^{}]*)\}\}/g, "{$1$2}")
            : pattern,
          ...rest,
        ),
    }),
  ),
];
