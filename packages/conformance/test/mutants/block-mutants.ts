import { mutant, type Mutant } from "./mutant.js";

const BLOCK = 64 * 1024;
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
];
