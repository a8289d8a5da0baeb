import { mutant, type Mutant } from "./mutant.js";

const BLOCK = 64 * 1024;
const PAGE = 4096;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Wrong in files that are longer than what is looked at in one piece. */
export const BLOCK_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "block/grep-in-blocks",
      "S1",
      "A file counts when one of its blocks holds the text.",
      (inner) => ({
        grep: async (pattern, ...rest) => {
          const found = await inner.grep(pattern, ...rest);
          if (
            found.matches === undefined ||
            rest[3]?.regex === true ||
            rest[3]?.ignoreCase === true
          )
            return found;
          const holds = new Map<string, boolean>();
          for (const { path } of found.matches) {
            if (holds.has(path)) continue;
            const [file] = await inner.downloadFiles([path]);
            const bytes = file?.content ?? new Uint8Array();
            const blocks = Array.from({ length: Math.ceil(bytes.length / BLOCK) }, (_, n) =>
              decoder.decode(bytes.subarray(n * BLOCK, (n + 1) * BLOCK)),
            );
            holds.set(
              path,
              blocks.some((block) => block.includes(pattern)),
            );
          }
          return {
            ...found,
            matches: found.matches.filter(({ path }) => holds.get(path) === true),
          };
        },
      }),
    ),
    by: "scale/found-across-borders",
  },
  {
    ...mutant(
      "block/unique-in-the-first",
      "E1",
      "Occurrences are counted in the first block.",
      (inner) => ({
        edit: async (path, old, text, all, options) => {
          const result = await inner.edit(path, old, text, all, options);
          if (result.code !== "not_unique") return result;
          const [file] = await inner.downloadFiles([path]);
          const whole = decoder.decode(file?.content ?? new Uint8Array());
          const first = decoder.decode(encoder.encode(whole).subarray(0, BLOCK));
          if (first.split(old).length !== 2) return result;
          await inner.uploadFiles([[path, encoder.encode(whole.replace(old, () => text))]]);
          const { version } = await inner.read(path, 0, 1);
          return { path, occurrences: 1, ...(version === undefined ? {} : { version }) };
        },
      }),
    ),
    by: "scale/edited-across-borders",
  },
  {
    ...mutant(
      "block/next-one-stays",
      "E1",
      "Of a content that ends where a block does, the next block stays.",
      (inner) => ({
        edit: async (path, ...rest) => {
          const [before] = await inner.downloadFiles([path]);
          const answer = await inner.edit(path, ...rest);
          const [after] = await inner.downloadFiles([path]);
          const [old, bytes] = [before?.content, after?.content];
          if (answer.error !== undefined || old == null || bytes == null) return answer;
          if (bytes.length === 0 || bytes.length % PAGE !== 0) return answer;
          const left = old.subarray(bytes.length, bytes.length + PAGE);
          await inner.uploadFiles([[path, Uint8Array.from([...bytes, ...left])]]);
          return answer;
        },
      }),
    ),
    by: "scale/cut-at-borders",
  },
  {
    ...mutant(
      "block/line-end-in-two",
      "S2",
      "A line keeps its \\r where a block ends before the \\n.",
      (inner) => ({
        grep: async (...args) => {
          const answer = await inner.grep(...args);
          if (answer.matches === undefined) return answer;
          const matches = [];
          for (const match of answer.matches) {
            const [file] = await inner.downloadFiles([match.path]);
            const lines = decoder.decode(file?.content ?? new Uint8Array()).split("\n");
            const end = encoder.encode(lines.slice(0, match.line).join("\n")).length;
            const parted = end % PAGE === 0 && lines[match.line - 1]?.endsWith("\r") === true;
            matches.push(parted ? { ...match, text: `${match.text}\r` } : match);
          }
          return { ...answer, matches };
        },
      }),
    ),
    by: "scale/line-end-across-borders",
  },
];
