import { failure, type MemoryBackend } from "@fs/protocol";
import { ancestorsOf } from "@fs/protocol/author";
import { mutant, type Mutant } from "./mutant.js";
import { recordedPair } from "./recorded-directories.js";

const BLOCK = 64 * 1024;

async function textOf(inner: MemoryBackend, path: string): Promise<string | undefined> {
  const { data } = await inner.readRaw(path);
  return typeof data?.content === "string" ? data.content : undefined;
}

async function pathsBelow(inner: MemoryBackend, directory: string): Promise<string[]> {
  return ((await inner.glob("**", directory)).files ?? []).map(({ path }) => path);
}

/** Wrong in a corner that only some other corner leads to. */
export const CORNER_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "glob/head-and-tail-overlap",
      "G1",
      "Head and tail of a pattern may overlap.",
      (inner) => ({
        glob: async (pattern, path, options) => {
          const [, head, tail] = /^([^*?[\]{}!\\/]*)\*([^*?[\]{}!\\/]*)$/.exec(pattern) ?? [];
          const all = head === undefined ? undefined : await inner.glob("*", path, options);
          if (head === undefined || tail === undefined || all?.files === undefined)
            return inner.glob(pattern, path, options);
          const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1);
          const fits = (name: string): boolean => name.startsWith(head) && name.endsWith(tail);
          return { ...all, files: all.files.filter((file) => fits(nameOf(file.path))) };
        },
      }),
    ),
    by: "twin/glob-names",
  },
  {
    ...mutant(
      "glob/one-unit-at-a-time",
      "G1",
      "A character of two units never matches itself.",
      (inner) => ({
        glob: async (pattern, ...rest) => {
          const result = await inner.glob(pattern, ...rest);
          const isLost = /[\u{10000}-\u{10ffff}]/u.test(pattern);
          return isLost && result.files !== undefined ? { ...result, files: [] } : result;
        },
      }),
    ),
    by: "twin/glob-names",
  },
  {
    ...mutant(
      "glob/prefix-of-half-a-character",
      "G1",
      "Alternatives that begin with halves of one character are looked up by that half.",
      (inner) => ({
        glob: async (pattern, ...rest) => {
          const [, one = "", other = ""] = /\{([^{},]+),([^{},]+)\}/.exec(pattern) ?? [];
          const isShared = /^[\ud800-\udbff]/.test(one) && one.charAt(0) === other.charAt(0);
          const isHalf = isShared && one.charAt(1) !== other.charAt(1);
          return isHalf ? { files: [], truncated: false } : inner.glob(pattern, ...rest);
        },
      }),
    ),
    by: "glob/halves-of-characters",
  },
  {
    ...mutant(
      "edit/twins-under-other-ends",
      "E4",
      "What is there once counts with its twin under the other line ends.",
      (inner) => ({
        edit: async (path, old, to, all, options) => {
          const text = (await textOf(inner, path)) ?? "";
          const plain = (of: string): string => of.replaceAll("\r\n", "\n");
          const twins = old.includes("\n") && text.includes(old);
          if (twins && all !== true && plain(text).split(plain(old)).length > 2)
            return failure("not_unique", path, "The text occurs 2 times, in lines 1 and 2.");
          return inner.edit(path, old, to, all, options);
        },
      }),
    ),
    by: "twin/edit",
  },
  {
    ...mutant(
      "edit/return-left-before-a-match",
      "E4",
      "A match that begins with a line end leaves its carriage return.",
      (inner) => ({
        edit: async (path, old, to, all, options) => {
          const text = (await textOf(inner, path)) ?? "";
          const folds = old.startsWith("\n") && !text.includes(old) && text.includes("\r\n");
          return inner.edit(path, old, folds ? `\r${to}` : to, all, options);
        },
      }),
    ),
    by: "twin/edit",
  },
  {
    ...mutant(
      "delete/directory-comes-back",
      "D1",
      "With the first new file a removed directory has its old files again.",
      (inner) => {
        const removed = new Map<string, Uint8Array>();
        return {
          delete: async (path, options) => {
            const paths =
              (await inner.ls(path)).error === undefined ? await pathsBelow(inner, path) : [];
            const downloads = await inner.downloadFiles(paths);
            const answer = await inner.delete(path, options);
            if (answer.error === undefined)
              for (const { path: file, content } of downloads)
                if (content !== null) removed.set(file, content);
            return answer;
          },
          write: async (path, ...rest) => {
            const answer = await inner.write(path, ...rest);
            if (answer.error !== undefined) return answer;
            const above = ancestorsOf(answer.path).at(-1) ?? "/";
            const back = [...removed].filter(
              ([file]) => file !== answer.path && file.startsWith(`${above}/`),
            );
            for (const [file] of back) removed.delete(file);
            if (above !== "/" && back.length > 0) await inner.uploadFiles(back);
            return answer;
          },
        };
      },
    ),
    by: "delete/anew",
  },
  {
    ...mutant(
      "grep/decodes-each-block",
      "S2",
      "A character across the end of a block is replaced.",
      (inner) => ({
        grep: async (...args) => {
          const result = await inner.grep(...args);
          if (result.matches === undefined) return result;
          const matches = [];
          for (const match of result.matches) {
            const [file] = await inner.downloadFiles([match.path]);
            const bytes = file?.content ?? new Uint8Array();
            let text = "";
            for (let at = 0; at < bytes.length; at += BLOCK)
              text += new TextDecoder().decode(bytes.subarray(at, at + BLOCK));
            const line = text.split("\n")[match.line - 1]?.replace(/\r$/, "");
            matches.push(text.includes("\ufffd") ? { ...match, text: line ?? match.text } : match);
          }
          return { ...result, matches };
        },
      }),
    ),
    by: "encoding/split-characters",
  },
  {
    ...mutant(
      "copy/half-of-what-is-refused",
      "M1",
      "Paths are judged one by one, each as its file is copied.",
      (inner) => ({
        copy: async (from, to, options) => {
          const answer = await inner.copy(from, to, options);
          if (answer.code !== "invalid_path") return answer;
          for (const path of await pathsBelow(inner, from))
            await inner.copy(path, to + path.slice(from.length));
          return answer;
        },
      }),
    ),
    by: "copy/paths-too-long",
  },
  {
    ...mutant(
      "signal/happens-in-its-turn",
      "A8",
      "What was aborted in its line happens when its turn comes.",
      (inner) => {
        let changing = 0;
        return {
          edit: async (...args) => {
            changing++;
            try {
              return await inner.edit(...args);
            } finally {
              changing--;
            }
          },
          delete: async (path, options) => {
            const waits = changing > 0;
            const answer = await inner.delete(path, options);
            if (waits && answer.code === "aborted") await inner.delete(path);
            return answer;
          },
        };
      },
    ),
    by: "matrix/delete-aborted-in-line",
  },
  {
    ...mutant(
      "option/null-is-no-version",
      "A9",
      "A version that was not found is no condition.",
      (inner) => ({
        delete: async (path, options) => {
          const { ifVersion, ...rest } = (options ?? {}) as { ifVersion?: string | null };
          return ifVersion === null ? inner.delete(path, rest) : inner.delete(path, options);
        },
      }),
    ),
    by: "matrix/delete-option-types",
  },
  {
    ...mutant(
      "copy/taken-back-on-the-fired-signal",
      "M2",
      "What an aborted call has copied is left: its signal refuses the removals too.",
      (inner) => ({
        copy: async (from, to, options) => {
          const { signal, overwrite } = options ?? {};
          const paths =
            (await inner.ls(from)).error === undefined ? await pathsBelow(inner, from) : [];
          if (!(signal instanceof AbortSignal) || overwrite === true || paths.length === 0)
            return inner.copy(from, to, options);
          for (const path of paths) {
            if (signal.aborted)
              return failure("aborted", from, "Whether its copies were taken back is not known.");
            await inner.copy(path, to + path.slice(from.length));
          }
          return { path: to, files: paths.length };
        },
      }),
    ),
    by: "copy/aborted-midway",
  },
  {
    name: "ls/directory-goes-in-a-second-step",
    rule: "L1",
    bug: "A directory's record goes a moment after its last file, also where another file has come by then.",
    by: "conc/last-of-a-directory-and-new",
    create: () => recordedPair()[0],
    pair: recordedPair,
  },
];
