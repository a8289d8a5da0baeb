import type { ReadResult } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

type Change = (result: ReadResult & { content: string }) => ReadResult;

/** Changes what a successful read of text gives. */
function misread(name: string, rule: string, bug: string, change: Change): Mutant {
  return mutant(`read/${name}`, rule, bug, (inner) => ({
    read: async (...args) => {
      const result = await inner.read(...args);
      const { content } = result;
      return typeof content === "string" ? change({ ...result, content }) : result;
    },
  }));
}

const lossy = new TextDecoder("utf-8");

export const READ_MUTANTS: readonly Mutant[] = [
  misread("drops-final-newline", "R1", "The last line loses its newline.", (result) => ({
    ...result,
    content: result.content.replace(/\n$/, ""),
  })),
  misread("numbers-lines", "R1", "Content carries line numbers.", (result) => ({
    ...result,
    content: result.content.replace(/^(?=.)/gm, "1\t"),
  })),
  misread("normalises-line-ends", "R1", "CRLF is read as LF.", (result) => ({
    ...result,
    content: result.content.replaceAll("\r\n", "\n"),
  })),
  misread(
    "reminds-of-empty-files",
    "R3",
    "An empty file reads as a sentence about it.",
    (result) => ({
      ...result,
      content: result.content === "" ? "System reminder: this file is empty." : result.content,
    }),
  ),
  misread("drops-byte-order-mark", "R10", "A leading byte order mark vanishes.", (result) => ({
    ...result,
    content: result.content.replace(/^\ufeff/, ""),
  })),
  misread("skips-a-line", "R2", "The next page begins a line too late.", (result) =>
    result.nextOffset === undefined ? result : { ...result, nextOffset: result.nextOffset + 1 },
  ),
  misread("counts-final-newline", "R2", "A final newline counts as one more line.", (result) =>
    result.totalLines === undefined || !result.content.endsWith("\n")
      ? result
      : { ...result, totalLines: result.totalLines + 1 },
  ),
  mutant("read/offset-one-based", "R1", "The first line has offset 1.", (inner) => ({
    read: (path, offset = 0, limit, options) =>
      inner.read(path, offset > 0 ? offset - 1 : offset, limit, options),
  })),
  mutant("read/ignores-limit", "R1", "The whole rest of the file is a page.", (inner) => ({
    read: (path, offset, limit = 500, options) =>
      inner.read(path, offset, limit > 0 ? limit + 1e6 : limit, options),
  })),
  mutant("read/default-limit", "R1", "A page is 2,000 lines unless asked otherwise.", (inner) => ({
    read: (path, offset, limit = 2000, options) => inner.read(path, offset, limit, options),
  })),
  mutant("read/limit-zero-is-default", "R3", "A limit of 0 is taken for none.", (inner) => ({
    read: (path, offset, limit, options) =>
      inner.read(path, offset, limit === 0 ? undefined : limit, options),
  })),
  mutant("read/past-end-is-empty", "R3", "An offset past the end is an empty page.", (inner) => ({
    read: async (...args) => {
      const result = await inner.read(...args);
      return result.code === "invalid_range" ? { content: "" } : result;
    },
  })),
  mutant("read/clamps-negative", "R4", "A negative offset is taken for 0.", (inner) => ({
    read: (path, offset = 0, limit, options) =>
      inner.read(path, Math.max(0, offset), limit, options),
  })),
  mutant("read/directory-is-missing", "R5", "A directory is reported as missing.", (inner) => ({
    read: async (...args) => {
      const result = await inner.read(...args);
      return result.code === "is_directory" ? { error: "not found", code: "not_found" } : result;
    },
  })),
  mutant("read/pages-binary", "R6", "A binary file is paged by its newlines.", (inner) => ({
    read: async (path, offset = 0, limit = 500, options) => {
      const result = await inner.read(path, offset, limit, options);
      return result.content instanceof Uint8Array
        ? { ...result, content: result.content.slice(offset, offset + limit) }
        : result;
    },
  })),
  mutant(
    "read/lossy-decoding",
    "R7",
    "Invalid UTF-8 is decoded with replacement characters.",
    (inner) => ({
      read: async (...args) => {
        const result = await inner.read(...args);
        const { content, mimeType } = result;
        if (
          !(content instanceof Uint8Array) ||
          mimeType !== "application/octet-stream" ||
          content.includes(0)
        )
          return result;
        return { content: lossy.decode(content), mimeType: "text/plain" };
      },
    }),
  ),
  mutant(
    "read/type-by-extension-only",
    "R7",
    "A NUL byte does not make a text extension binary.",
    (inner) => ({
      read: async (...args) => {
        const result = await inner.read(...args);
        const { content } = result;
        if (!(content instanceof Uint8Array) || !/\.(?:txt|md|ts)$/.test(args[0])) return result;
        return { content: lossy.decode(content), mimeType: "text/plain" };
      },
    }),
  ),
  mutant(
    "read/typescript-is-video",
    "R8",
    "The MIME library's word is taken for `.ts`.",
    (inner) => ({
      read: async (...args) => {
        const result = await inner.read(...args);
        return result.error === undefined && args[0].endsWith(".ts")
          ? { ...result, mimeType: "video/mp2t" }
          : result;
      },
    }),
  ),
  mutant("read/no-bytes-at-limit-zero", "R6", "A limit of 0 empties a binary file.", (inner) => ({
    read: async (...args) => {
      const result = await inner.read(...args);
      return result.content instanceof Uint8Array && args[2] === 0
        ? { ...result, content: new Uint8Array() }
        : result;
    },
  })),
  mutant("readRaw/throws", "A1", "A missing file throws.", (inner) => ({
    readRaw: async (...args) => {
      const result = await inner.readRaw(...args);
      if (result.error !== undefined) throw new Error(`File '${args[0]}' not found`);
      return result;
    },
  })),
  mutant("readRaw/first-page", "R9", "The raw file ends after 500 lines.", (inner) => ({
    readRaw: async (...args) => {
      const result = await inner.readRaw(...args);
      const { data } = result;
      if (data === undefined || typeof data.content !== "string" || !("mimeType" in data))
        return result;
      return { data: { ...data, content: data.content.split("\n").slice(0, 500).join("\n") } };
    },
  })),
];
