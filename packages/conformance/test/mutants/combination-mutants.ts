import { mutant, type Mutant } from "./mutant.js";

/** A whole number of 32 bits, as bitwise operators make one. */
function int32(count: number): number {
  // oxlint-disable-next-line no-bitwise
  return count | 0;
}

/** Bugs that show only where two things meet: a content and a condition, a pattern and an option, one item and the next. */
export const COMBINATION_MUTANTS: readonly Mutant[] = [
  mutant(
    "write/empty-at-version",
    "W5",
    "An empty text at the right version is acknowledged, and not stored.",
    (inner) => ({
      write: async (path, content, options) => {
        if (content !== "" || options?.ifVersion === undefined)
          return inner.write(path, content, options);
        const { info } = await inner.stat(path);
        return info?.version === options.ifVersion
          ? { path: info.path, version: options.ifVersion, size: 0 }
          : inner.write(path, content, options);
      },
    }),
  ),
  mutant(
    "read/page-of-32-bits",
    "R1",
    "The end of a page is a whole number of 32 bits, so that a large limit behind the first line gives nothing.",
    (inner) => ({
      read: async (path, offset = 0, limit = 500, options) => {
        const counts = Number.isSafeInteger(offset) && Number.isSafeInteger(limit);
        if (!counts || offset <= 0) return inner.read(path, offset, limit, options);
        const lines = Math.min(limit, Math.max(0, int32(offset + limit) - offset));
        return inner.read(path, offset, lines, options);
      },
    }),
  ),
  mutant(
    "glob/literal-from-root",
    "G2",
    "An absolute pattern without a wildcard is looked up, wherever it is.",
    (inner) => ({
      glob: async (pattern, path, options) => {
        const answer = await inner.glob(pattern, path, options);
        if (answer.error !== undefined || !/^\/[^*?[\]{}\\]+$/.test(pattern)) return answer;
        return inner.glob(pattern, "/", options);
      },
    }),
  ),
  mutant("glob/pattern-in-bytes", "G3", "A pattern may have 1024 bytes.", (inner) => ({
    glob: async (pattern, ...rest) =>
      typeof pattern === "string" && Buffer.byteLength(pattern) > 1024
        ? { error: `'${pattern}' is too long.`, code: "invalid_pattern" as const }
        : inner.glob(pattern, ...rest),
  })),
  mutant(
    "grep/hit-by-hit-in-any-case",
    "S1",
    "Without regard to case, a line is found as often as the text is in it.",
    (inner) => ({
      grep: async (pattern, path, glob, maxCount, options) => {
        const answer = await inner.grep(pattern, path, glob, maxCount, options);
        const applies = options?.ignoreCase === true && options.regex !== true && maxCount == null;
        if (answer.error !== undefined || !applies) return answer;
        const parts = (text: string): string[] =>
          text.toLowerCase().split(pattern.toLowerCase()).slice(1);
        const matches = answer.matches.flatMap((match) =>
          parts(match.text).map(() => ({ ...match })),
        );
        return { ...answer, matches };
      },
    }),
  ),
  mutant(
    "grep/expression-in-lower-case",
    "S8",
    "Without regard to case, an expression is made lower case, its classes too.",
    (inner) => ({
      grep: async (pattern, path, glob, maxCount, options) => {
        const lowers = options?.ignoreCase === true && options.regex === true;
        const text = lowers && typeof pattern === "string" ? pattern.toLowerCase() : pattern;
        return inner.grep(text, path, glob, maxCount, options);
      },
    }),
  ),
  mutant(
    "download/ends-at-a-directory",
    "T1",
    "Behind a directory, every file of a batch is missing.",
    (inner) => ({
      downloadFiles: async (paths, options) => {
        const answers = await inner.downloadFiles(paths, options);
        const directory = answers.findIndex(({ error }) => error === "is_directory");
        return answers.map((answer, n) =>
          directory !== -1 && n > directory && answer.error === null
            ? { path: answer.path, content: null, error: "file_not_found", code: "not_found" }
            : answer,
        );
      },
    }),
  ),
  mutant(
    "download/code-below-a-file",
    "R5",
    "A download of what is below a file says 'not_directory', as the system does.",
    (inner) => ({
      downloadFiles: async (paths, options) => {
        const answers = await inner.downloadFiles(paths, options);
        return Promise.all(
          answers.map(async (answer) => {
            if (answer.code !== "not_found") return answer;
            const parent = answer.path.slice(0, answer.path.lastIndexOf("/"));
            const isFile = parent !== "" && (await inner.stat(parent)).info?.is_dir === false;
            return isFile ? { ...answer, code: "not_directory" as const } : answer;
          }),
        );
      },
    }),
  ),
  mutant(
    "version/read-as-number",
    "W5",
    "A version is compared as the number that it begins with.",
    (inner) => {
      const read = <O extends { ifVersion?: string }>(options: O | undefined): O | undefined => {
        const { ifVersion } = options ?? {};
        if (options === undefined || typeof ifVersion !== "string") return options;
        const number = Number.parseInt(ifVersion, 10);
        return Number.isNaN(number) ? options : { ...options, ifVersion: String(number) };
      };
      return {
        write: async (path, content, options) => inner.write(path, content, read(options)),
        delete: async (path, options) => inner.delete(path, read(options)),
      };
    },
  ),
  mutant(
    "readRaw/directory-of-directories",
    "R5",
    "A directory that holds only directories is missing, as where its own files are looked for.",
    (inner) => ({
      readRaw: async (path, options) => {
        const answer = await inner.readRaw(path, options);
        if (answer.code !== "is_directory") return answer;
        const { files = [] } = await inner.ls(path);
        return files.every((entry) => entry.is_dir === true)
          ? { error: `'${path}' was not found.`, code: "not_found" as const }
          : answer;
      },
    }),
  ),
  mutant(
    "readRaw/version-of-empty",
    "F2",
    "A file without a byte has no version in readRaw.",
    (inner) => ({
      readRaw: async (path, options) => {
        const answer = await inner.readRaw(path, options);
        if (answer.error !== undefined || answer.data.content.length > 0) return answer;
        return { data: answer.data };
      },
    }),
  ),
  mutant(
    "grep/expression-across-lines",
    "S1",
    "An expression is looked for in the whole text, so that white space in it spans two lines.",
    (inner) => ({
      grep: async (pattern, path, glob, maxCount, options) => {
        const answer = await inner.grep(pattern, path, glob, maxCount, options);
        const around = (options?.before ?? 0) + (options?.after ?? 0) > 0;
        const applies = options?.regex === true && /\\s/.test(pattern) && maxCount == null;
        if (answer.error !== undefined || !applies || around || glob != null) return answer;
        const matches = [...answer.matches];
        const { files = [] } = await inner.glob("**", path ?? "/");
        for (const file of files) {
          const { data } = await inner.readRaw(file.path);
          if (typeof data?.content !== "string") continue;
          const text = data.content.replaceAll("\r\n", "\n");
          for (const { 0: found, index } of text.matchAll(new RegExp(pattern, "gm"))) {
            if (!/\S\s*\n\s*\S/.test(found)) continue;
            const line = text.slice(0, index).split("\n").length;
            matches.push({ path: file.path, line, text: text.split("\n")[line - 1] ?? "" });
          }
        }
        return { ...answer, matches };
      },
    }),
  ),
];
