import type { MemoryBackend } from "@fs/protocol";
import { isMediaPath } from "@fs/protocol/hooks";
import { mutant, type Mutant } from "./mutant.js";

/** Files that a search looks at in one go. */
const PAGE = 50;
/** Characters of a text that are looked at in one go. */
const CHUNK = 4096;

/** The texts of three characters in another one, by which an index says where to look. */
function trigramsOf(text: string): Set<string> {
  return new Set(
    Array.from({ length: Math.max(0, text.length - 2) }, (_, n) => text.slice(n, n + 3)),
  );
}

const knows = (index: ReadonlySet<string>, text: string): boolean =>
  [...trigramsOf(text)].every((part) => index.has(part));

/** In lower case, but for letters whose lower case is longer: so that every place stays what it was. */
const foldedInPlace = (text: string): string =>
  Array.from(text, (c) => (c.toLowerCase().length === c.length ? c.toLowerCase() : c)).join("");

async function textOf(inner: MemoryBackend, path: string): Promise<string | undefined> {
  const { data } = await inner.readRaw(path);
  return typeof data?.content === "string" ? data.content : undefined;
}

/** Searches and edits that look at files, or at a file, in parts, and are wrong where these meet. */
export const SEARCH_PART_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "grep/index-of-what-is-new",
      "S1",
      "An index takes in the new text of an edit, without what stands beside it.",
      (inner) => {
        const indexes = new Map<string, Set<string>>();
        return {
          edit: async (path, old, to, ...rest) => {
            const answer = await inner.edit(path, old, to, ...rest);
            for (const part of trigramsOf(to)) indexes.get(path)?.add(part);
            return answer;
          },
          grep: async (pattern, path = "/", ...rest) => {
            const text = await textOf(inner, path ?? "/");
            if (text === undefined) return inner.grep(pattern, path, ...rest);
            const index = indexes.get(path ?? "/") ?? trigramsOf(text);
            indexes.set(path ?? "/", index);
            return knows(index, pattern) ? inner.grep(pattern, path, ...rest) : { matches: [] };
          },
        };
      },
    ),
    by: "edit/found-across-its-ends",
  },
  {
    ...mutant(
      "grep/index-of-letters-in-place",
      "S8",
      "An index of lower-case texts leaves letters as they are whose lower case is longer.",
      (inner) => ({
        grep: async (pattern, path, glob, count, options) => {
          const answer = await inner.grep(pattern, path, glob, count, options);
          if (options?.ignoreCase !== true || answer.matches === undefined) return answer;
          const wanted = foldedInPlace(pattern);
          const matches = answer.matches.filter(({ text }) =>
            knows(trigramsOf(foldedInPlace(text)), wanted),
          );
          return { ...answer, matches };
        },
      }),
    ),
    by: "grep/ignore-case-within-words",
  },
  {
    ...mutant(
      "grep/enough-at-the-end-of-a-page",
      "S7",
      "A search that has its matches at the end of a page of files does not look whether there are more.",
      (inner) => ({
        grep: async (pattern, path, glob, count, options) => {
          const answer = await inner.grep(pattern, path, glob, count, options);
          const { truncated: _, ...rest } = answer;
          return answer.matches?.length === count && Number(count) % PAGE === 0 ? rest : answer;
        },
      }),
    ),
    by: "scale/capped-among-260-files",
  },
  {
    ...mutant(
      "grep/media-under-the-cap",
      "S7",
      "Matches in media files count under the cap, and are left out after that.",
      (inner) => ({
        grep: async (pattern, path, glob, count, options) => {
          const answer = await inner.grep(pattern, path, glob, count, options);
          const { files = [] } = await inner.glob("**", path ?? "/");
          const media = files.filter((file) => isMediaPath(file.path)).length;
          if (typeof count !== "number" || answer.matches === undefined) return answer;
          return { ...answer, matches: answer.matches.slice(0, Math.max(0, count - media)) };
        },
      }),
    ),
    by: "grep/beyond-many-media",
  },
  {
    ...mutant(
      "grep/page-of-media-is-the-end",
      "S3",
      "A page of files none of which is a text is taken for the end of the files.",
      (inner) => ({
        grep: async (pattern, path, ...rest) => {
          const answer = await inner.grep(pattern, path, ...rest);
          const { files = [] } = await inner.glob("**", path ?? "/");
          const isEnd = (at: number): boolean => {
            const page = files.slice(at, at + PAGE);
            return page.length === PAGE && page.every((file) => isMediaPath(file.path));
          };
          const end = files.findIndex((_, at) => at % PAGE === 0 && isEnd(at));
          const last = files[end]?.path;
          if (last === undefined || answer.matches === undefined) return answer;
          return { ...answer, matches: answer.matches.filter((match) => match.path < last) };
        },
      }),
    ),
    by: "grep/beyond-many-media",
  },
  {
    ...mutant(
      "edit/counts-in-each-part",
      "E1",
      "An edit counts its occurrences in each part of the file, and takes the rest of one into the next.",
      (inner) => ({
        edit: async (path, old, to, replaceAll, options) => {
          const text = await textOf(inner, path);
          const answer = await inner.edit(path, old, to, replaceAll, options);
          if (text === undefined || text.length <= CHUNK || answer.occurrences === undefined)
            return answer;
          let occurrences = 0;
          for (let at = 0; at < text.length; at += CHUNK)
            occurrences +=
              text.slice(Math.max(0, at - old.length + 1), at + CHUNK).split(old).length - 1;
          return replaceAll === true ? { ...answer, occurrences } : answer;
        },
      }),
    ),
    by: "scale/overlapping-across-borders",
  },
];
