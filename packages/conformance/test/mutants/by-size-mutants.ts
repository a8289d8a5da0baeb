import { setImmediate as turn } from "node:timers/promises";
import { isWithin } from "@fs/protocol/author";
import { readRawWith } from "./creation-times.js";
import { mutant, type Mutant } from "./mutant.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes below which a content is kept beside its file. */
const SMALL = 100;
/** Bytes above which it is no longer in the row of its file. */
const ROW = 8192;
/** Bytes above which it is kept in parts. */
const PART = 65_536;

/** What is kept in another way from some size on. */
export const BY_SIZE_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "copy/large-ones-name-the-parts-of-their-original",
      "M1",
      "The copy of a large file names the parts of its original, which go when that is removed.",
      (inner) => {
        const originals = new Map<string, string>();
        return {
          copy: async (from, to, options) => {
            const answer = await inner.copy(from, to, options);
            const text = (await inner.readRaw(to)).data?.content ?? "";
            if (answer.error === undefined && text.length > ROW) originals.set(to, from);
            return answer;
          },
          delete: async (path, options) => {
            const answer = await inner.delete(path, options);
            for (const [copy, original] of originals)
              if (answer.error === undefined && original === path) await inner.delete(copy);
            return answer;
          },
        };
      },
    ),
    by: "copy/large-outlives-its-original",
  },
  {
    ...mutant(
      "upload/row-before-its-parts",
      "A8",
      "The row of a large file is stored before its parts, and stays without them when the upload is aborted in between.",
      (inner) => ({
        uploadFiles: async (files, options) => {
          const [file] = files;
          if (file === undefined || files.length > 1 || file[1].length <= ROW)
            return inner.uploadFiles(files, options);
          const [path, bytes] = file;
          await inner.uploadFiles([[path, bytes.subarray(0, ROW)]], options);
          await turn();
          return inner.uploadFiles(files, options);
        },
      }),
    ),
    by: "conc/aborted-large-changes",
  },
  {
    ...mutant(
      "edit/large-files-created-again",
      "W7",
      "What is assembled of parts counts as a new file, with a time of creation of its own.",
      (inner) => {
        const assembled = new Map<string, string>();
        return {
          edit: async (path, ...rest) => {
            const answer = await inner.edit(path, ...rest);
            const text = (await inner.readRaw(path)).data?.content ?? "";
            if (answer.error === undefined && text.length > PART)
              assembled.set(path, new Date().toISOString());
            return answer;
          },
          readRaw: readRawWith(inner, assembled),
        };
      },
    ),
    by: "storage/creation-time-of-large-files",
  },
  {
    ...mutant(
      "grep/small-contents-stay-beside-large-ones",
      "S1",
      "A search looks at what is kept beside a file for its size as well, which stays when the content becomes large.",
      (inner) => {
        const beside = new Map<string, string>();
        return {
          uploadFiles: async (files, options) => {
            for (const [path, bytes] of files)
              if (bytes.length < SMALL) beside.set(path, decoder.decode(bytes));
            return inner.uploadFiles(files, options);
          },
          grep: async (pattern, path, ...rest) => {
            const answer = await inner.grep(pattern, path, ...rest);
            if (answer.error !== undefined) return answer;
            const matches = [...answer.matches];
            for (const [file, text] of beside) {
              const { content = "" } = (await inner.readRaw(file)).data ?? {};
              if (content.length >= SMALL && isWithin(file, path ?? "/") && text.includes(pattern))
                matches.push({ path: file, line: 1, text: text.split("\n")[0] ?? "" });
            }
            return { ...answer, matches };
          },
        };
      },
    ),
    by: "growth/across-sizes",
  },
  {
    ...mutant(
      "read/marks-lost-from-a-kilobyte",
      "R10",
      "What is compressed, from a kilobyte on, comes back through a decoder that drops the byte order mark.",
      (inner) => ({
        read: async (path, ...rest) => {
          const page = await inner.read(path, ...rest);
          if (typeof page.content !== "string" || page.content.length < 1024) return page;
          return { ...page, content: decoder.decode(encoder.encode(page.content)) };
        },
      }),
    ),
    by: "encoding/whole-at-every-size",
  },
  {
    ...mutant(
      "grep/last-carriage-return-kept",
      "S2",
      "Of a last line without a newline grep gives the carriage return at its end too.",
      (inner) => ({
        grep: async (pattern, path, ...rest) => {
          const answer = await inner.grep(pattern, path, ...rest);
          if (answer.error !== undefined) return answer;
          const matches = await Promise.all(
            answer.matches.map(async (match) => {
              const text = (await inner.readRaw(match.path)).data?.content;
              const ends = typeof text === "string" && text.endsWith(`\n${match.text}\r`);
              return ends ? { ...match, text: `${match.text}\r` } : match;
            }),
          );
          return { ...answer, matches };
        },
      }),
    ),
    by: "encoding/whole-at-every-size",
  },
];
