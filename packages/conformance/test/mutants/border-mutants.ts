import { failure, MemoryBackend } from "@fs/protocol";
import { mutant, type Mutant, overlay } from "./mutant.js";

/** Lines of context that an answer may have (S8). */
const MOST_LINES = 200_000;

/** Arguments, filters and answers at the border between a caller and a backend. */
export const BORDER_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "glob/ignores-pages",
      "A9",
      "A backend without pages refuses them in ls, and ignores them in glob.",
      (inner) => ({
        features: inner.features.filter((feature) => feature !== "pages"),
        ls: async (path, options) =>
          options?.limit === undefined && options?.after === undefined
            ? inner.ls(path, options)
            : failure("unsupported", path ?? "/"),
        glob: (pattern, path, options) =>
          inner.glob(pattern, path, options?.signal && { signal: options.signal }),
      }),
    ),
    by: "capability/features",
  },
  {
    ...mutant(
      "grep/filter-behind-the-directory",
      "S5",
      "A filter is put behind the directory that is searched, whose name is then a part of the pattern.",
      (inner) => ({
        grep: (pattern, path, glob, count, options) => {
          const isRelative = typeof glob === "string" && /^[^/]+\//.test(glob);
          const base = typeof path === "string" && path !== "/" ? path : "";
          return inner.grep(pattern, path, isRelative ? `${base}/${glob}` : glob, count, options);
        },
      }),
    ),
    by: "grep/filter-below-pattern-characters",
  },
  {
    ...mutant(
      "grep/context-of-one-match-more",
      "S8",
      "The match by which the search knows that there are more counts where the context is bounded.",
      (inner) => ({
        grep: async (pattern, path, glob, count, options) => {
          const lines = (options?.before ?? 0) + (options?.after ?? 0);
          const answer = await inner.grep(pattern, path, glob, count, options);
          const found = answer.matches === undefined ? 0 : answer.matches.length + 1;
          return answer.truncated === true && found * lines > MOST_LINES
            ? failure("invalid_argument", path ?? "/")
            : answer;
        },
      }),
    ),
    by: "grep/context-limit",
  },
  {
    ...mutant(
      "download/logged-as-json",
      "A1",
      "The paths of a download are written down as JSON first, which knows no bigint.",
      (inner) => ({
        downloadFiles: async (paths, options) => {
          JSON.stringify(paths);
          return inner.downloadFiles(paths, options);
        },
      }),
    ),
    by: "matrix/download-files-wrong-types",
  },
  {
    ...mutant(
      "upload/size-of-what-was-refused",
      "A2",
      "Each answer of an upload has the size that the file would have, refused ones too.",
      (inner) => ({
        uploadFiles: async (files, options) => {
          const answers = await inner.uploadFiles(files, options);
          return answers.map((answer, index) => {
            const content: unknown = Array.isArray(files) ? files[index]?.[1] : undefined;
            return content instanceof Uint8Array ? { ...answer, size: content.length } : answer;
          });
        },
      }),
    ),
    by: "matrix/upload-files-bad-paths",
  },
  {
    name: "execute/that-cannot",
    rule: "A9",
    bug: "A backend that cannot run commands has an `execute` that refuses, and is taken for a sandbox.",
    by: "capability/execute",
    create: () =>
      overlay(new MemoryBackend(), {
        execute: async (command: string) => ({
          output: "",
          exitCode: null,
          truncated: false,
          ...failure("unsupported", command),
        }),
      }),
  },
];
