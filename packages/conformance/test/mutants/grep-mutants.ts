import { MemoryVolume, type GrepMatch, type GrepResult } from "@fs/protocol";
import { listingOf, type Listing, type ListQuery, type VolumeEntry } from "@fs/protocol/author";
import { faultyVolume, mutant, type Mutant } from "./mutant.js";

/** A storage that lists in some order, and says that it is the order of paths. */
class MisorderedVolume extends MemoryVolume {
  readonly #order: (entries: VolumeEntry[]) => VolumeEntry[];

  constructor(order: (entries: VolumeEntry[]) => VolumeEntry[]) {
    super();
    this.#order = order;
  }

  override list(directory: string, query: ListQuery): Listing {
    const listed = super.list(directory, query);
    const order = this.#order;
    return listingOf(async function* () {
      const entries: VolumeEntry[] = [];
      for await (const entry of listed) entries.push(entry);
      yield order(entries);
    });
  }
}

/** The order of a walk that sorts names: `a/x` before `a-b`. */
const byNames = (entries: VolumeEntry[]): VolumeEntry[] => {
  const keyOf = ({ path }: VolumeEntry): string => path.replaceAll("/", "\0");
  return entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};

function misfind(
  name: string,
  rule: string,
  bug: string,
  change: (matches: GrepMatch[], pattern: string) => GrepMatch[],
): Mutant {
  return mutant(`grep/${name}`, rule, bug, (inner) => ({
    grep: async (pattern, ...rest) => {
      const result: GrepResult = await inner.grep(pattern, ...rest);
      return result.matches === undefined
        ? result
        : { ...result, matches: change(result.matches, pattern) };
    },
  }));
}

const hidden = (path: string): boolean =>
  path.split("/").some((segment) => segment.startsWith(".") || segment === "node_modules");

export const GREP_MUTANTS: readonly Mutant[] = [
  misfind("trims", "S2", "Lines come without their white space.", (matches) =>
    matches.map((match) => ({ ...match, text: match.text.trim() })),
  ),
  misfind("keeps-terminator", "S2", "Lines come with their newline.", (matches) =>
    matches.map((match) => ({ ...match, text: `${match.text}\n` })),
  ),
  misfind("zero-based", "S1", "Lines count from 0.", (matches) =>
    matches.map((match) => ({ ...match, line: match.line - 1 })),
  ),
  misfind(
    "skips-hidden",
    "S3",
    "Hidden and ignored files are not searched, as ripgrep does by default.",
    (matches) => matches.filter(({ path }) => !hidden(path)),
  ),
  misfind("splits-at-colons", "S1", "A colon in a name ends it.", (matches) =>
    matches.map((match) => ({ ...match, path: match.path.replace(/:.*$/, "") })),
  ),
  misfind(
    "once-per-occurrence",
    "S1",
    "A line with two occurrences comes twice.",
    (matches, pattern) =>
      matches.flatMap((match) =>
        Array.from({ length: match.text.split(pattern).length - 1 }, () => ({ ...match })),
      ),
  ),
  misfind("unsorted", "S3", "Matches come in reverse.", (matches) => matches.toReversed()),
  faultyVolume(
    "grep/listed-in-reverse",
    "S3",
    "A volume says that it lists in order, and lists in reverse.",
    () => new MisorderedVolume((entries) => entries.toReversed()),
  ),
  faultyVolume(
    "grep/listed-by-names",
    "S3",
    "A volume says that it lists in order, and sorts each directory by names.",
    () => new MisorderedVolume(byNames),
  ),
  mutant("grep/regular-expression", "S1", "The pattern is a regular expression.", (inner) => ({
    grep: async (pattern, path, glob, maxCount, options) => {
      const literal = await inner.grep(pattern, path, glob, maxCount, options);
      if (literal.error !== undefined || !/[.*+?^$[\]]/.test(pattern)) return literal;
      const wrong = await inner.grep(pattern, path, glob, maxCount, { ...options, regex: true });
      return wrong.error === undefined ? wrong : { matches: [] };
    },
  })),
  mutant("grep/ignores-case", "S1", "Case is ignored.", (inner) => ({
    grep: (pattern, path, glob, maxCount, options) =>
      inner.grep(pattern, path, glob, maxCount, { ...options, ignoreCase: true }),
  })),
  mutant("grep/file-as-path-is-empty", "S4", "A file as path has no matches.", (inner) => ({
    grep: async (pattern, path, ...rest) => {
      const result = await inner.grep(pattern, path, ...rest);
      const isFile = typeof path === "string" && (await inner.ls(path)).code === "not_directory";
      return isFile && result.matches !== undefined ? { matches: [] } : result;
    },
  })),
  mutant("grep/missing-path-is-empty", "S4", "A missing path has no matches.", (inner) => ({
    grep: async (...args) => {
      const result = await inner.grep(...args);
      return result.code === "not_found" ? { matches: [] } : result;
    },
  })),
  mutant("grep/path-filter-is-empty", "S5", "A filter with a slash matches nothing.", (inner) => ({
    grep: async (pattern, path, glob, ...rest) => {
      const result = await inner.grep(pattern, path, glob, ...rest);
      return result.matches !== undefined && glob?.includes("/") === true
        ? { matches: [] }
        : result;
    },
  })),
  mutant(
    "grep/name-filter-one-level",
    "S5",
    "A filter without a slash matches one directory only.",
    (inner) => ({
      grep: (pattern, path, glob, ...rest) =>
        inner.grep(
          pattern,
          path,
          typeof glob === "string" && glob !== "" && !glob.includes("/") ? `./${glob}` : glob,
          ...rest,
        ),
    }),
  ),
  mutant("grep/empty-matches-all", "S6", "An empty pattern matches every line.", (inner) => ({
    grep: async (pattern, ...rest) => {
      const result = await inner.grep(pattern, ...rest);
      return pattern === "" && result.code === "invalid_argument" ? { matches: [] } : result;
    },
  })),
  mutant("grep/no-truncated", "S7", "A capped answer does not say so.", (inner) => ({
    grep: async (...args) => {
      const { truncated: _, ...result } = await inner.grep(...args);
      return result;
    },
  })),
  mutant(
    "grep/always-truncated",
    "S7",
    "An answer of exactly the cap says it was cut.",
    (inner) => ({
      grep: async (pattern, path, glob, maxCount, options) => {
        const result = await inner.grep(pattern, path, glob, maxCount, options);
        return result.matches !== undefined && result.matches.length === maxCount
          ? { ...result, truncated: true }
          : result;
      },
    }),
  ),
  mutant("grep/cap-per-file", "S7", "The cap counts per file.", (inner) => ({
    grep: async (pattern, path, glob, maxCount, options) => {
      const result = await inner.grep(pattern, path, glob, null, options);
      if (result.matches === undefined || typeof maxCount !== "number" || maxCount < 0)
        return inner.grep(pattern, path, glob, maxCount, options);
      const seen = new Map<string, number>();
      const kept = result.matches.filter((match) => {
        const count = (seen.get(match.path) ?? 0) + 1;
        seen.set(match.path, count);
        return count <= maxCount;
      });
      return kept.length < result.matches.length
        ? { matches: kept, truncated: true }
        : { matches: kept };
    },
  })),
  mutant("grep/searches-binary", "S3", "Binary files are searched.", (inner) => ({
    grep: async (pattern, path, glob, maxCount, options) => {
      const result = await inner.grep(pattern, path, glob, maxCount, options);
      if (result.matches === undefined || (maxCount !== undefined && maxCount !== null))
        return result;
      const files = (await inner.glob("**", path ?? "/")).files ?? [];
      const found: GrepMatch[] = [];
      for (const info of files) {
        const read = await inner.read(info.path);
        if (!(read.content instanceof Uint8Array)) continue;
        const text = new TextDecoder().decode(read.content);
        if (text.includes(pattern)) found.push({ path: info.path, line: 1, text });
      }
      return {
        matches: [...result.matches, ...found].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      };
    },
  })),
  mutant("grep/page-breaks-trimmed", "S2", "A form feed at a line's end is cut off.", (inner) => ({
    grep: async (...args) => {
      const result = await inner.grep(...args);
      return result.matches === undefined
        ? result
        : {
            ...result,
            matches: result.matches.map((found) => ({
              ...found,
              text: found.text.replace(/[\f\v]$/, ""),
            })),
          };
    },
  })),
  mutant(
    "grep/line-tabs-trimmed",
    "S2",
    "A line tabulation at a line's end is cut off.",
    (inner) => ({
      grep: async (...args) => {
        const result = await inner.grep(...args);
        const whole = (found: GrepMatch): GrepMatch => ({
          ...found,
          text: found.text.replace(/\v$/, ""),
        });
        return result.matches === undefined
          ? result
          : { ...result, matches: result.matches.map(whole) };
      },
    }),
  ),
  mutant(
    "grep/expression-folds-ascii",
    "S8",
    "An expression with other letters heeds their case whatever is asked.",
    (inner) => ({
      grep: async (pattern, path, glob, maxCount, options) => {
        const { ignoreCase: _, ...others } = options ?? {};
        const isOther = options?.regex === true && !/^[ -~]*$/.test(pattern);
        return inner.grep(pattern, path, glob, maxCount, isOther ? others : options);
      },
    }),
  ),
  mutant("grep/folded-letter-by-letter", "S8", "Case is that of the flag i.", (inner) => ({
    grep: async (pattern, path, glob, maxCount, options) => {
      const result = await inner.grep(pattern, path, glob, maxCount, options);
      if (result.matches === undefined || options?.ignoreCase !== true || options.regex === true)
        return result;
      const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const expression = new RegExp(escaped, "iu");
      return { ...result, matches: result.matches.filter(({ text }) => expression.test(text)) };
    },
  })),
  {
    ...mutant("grep/context-too-large", "S8", "Too much context is too_large.", (inner) => ({
      grep: async (pattern, path, glob, maxCount, options) => {
        const result = await inner.grep(pattern, path, glob, maxCount, options);
        const asked = (options?.before ?? 0) + (options?.after ?? 0);
        return result.code === "invalid_argument" && Number.isSafeInteger(asked) && asked > 1000
          ? { error: "That is too much context.", code: "too_large" as const }
          : result;
      },
    })),
    by: "grep/context-limit",
  },
];
