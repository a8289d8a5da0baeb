import { posix } from "node:path";
import { failure } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

/** What is taken for something else: a name for a pattern, a default for a wish, a call for the equal one beside it, a merge for a mirror. */
export const LOOKALIKE_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "ls/page-by-a-pattern",
      "P4",
      "A page of a directory is of every directory that its name matches as a pattern of LIKE.",
      (inner) => ({
        ls: async (path, options) => {
          const answer = await inner.ls(path, options);
          if (options?.limit === undefined || path === undefined || answer.files === undefined)
            return answer;
          const glob = path.replaceAll(/[\\*?[\]{}!]/g, String.raw`\$&`).replaceAll("_", "?");
          const others = ((await inner.glob(`${glob.slice(1)}/*`)).files ?? []).filter(
            (file) => !file.path.startsWith(`${path}/`),
          );
          return { ...answer, files: [...answer.files, ...others] };
        },
      }),
    ),
    by: "path/pages-of-lookalikes",
  },
  {
    ...mutant(
      "glob/names-without-extension",
      "G1",
      "What a pattern ends with is looked up as an extension, which a name of its only dot has not.",
      (inner) => ({
        glob: async (pattern, ...rest) => {
          const answer = await inner.glob(pattern, ...rest);
          const [, extension] = /^\*\*\/\*(\.[\w-]+)$/.exec(pattern) ?? [];
          if (extension === undefined || answer.files === undefined) return answer;
          const files = answer.files.filter(({ path }) => posix.extname(path) === extension);
          return { ...answer, files };
        },
      }),
    ),
    by: "twin/glob-names",
  },
  {
    ...mutant(
      "write/default-contradicts",
      "W8",
      "ifVersion beside ifAbsent is refused as a contradiction, whatever ifAbsent says.",
      (inner) => ({
        write: async (path, content, options) =>
          options?.ifVersion !== undefined && options.ifAbsent === false
            ? failure("invalid_argument", path, "ifAbsent and ifVersion contradict each other.")
            : inner.write(path, content, options),
      }),
    ),
    by: "version/beside-defaults",
  },
  {
    ...mutant(
      "write/equal-calls-share-an-answer",
      "W4",
      "A write that is under way answers for every equal one that comes meanwhile.",
      (inner) => {
        const underWay = new Map<string, ReturnType<typeof inner.write>>();
        return {
          write: (path, content, options) => {
            const key = JSON.stringify([path, content]);
            const known = underWay.get(key);
            if (known !== undefined && options === undefined) return known;
            const answer = inner.write(path, content, options);
            underWay.set(key, answer);
            void answer.finally(() => underWay.delete(key));
            return answer;
          },
        };
      },
    ),
    by: "conc/equal-creates",
  },
  {
    ...mutant(
      "edit/equal-calls-share-an-answer",
      "E7",
      "An edit that is under way answers for every equal one that comes meanwhile.",
      (inner) => {
        const underWay = new Map<string, ReturnType<typeof inner.edit>>();
        return {
          edit: (path, old, to, all, options) => {
            const key = JSON.stringify([path, old, to, all]);
            const known = underWay.get(key);
            if (known !== undefined && options === undefined) return known;
            const answer = inner.edit(path, old, to, all, options);
            underWay.set(key, answer);
            void answer.finally(() => underWay.delete(key));
            return answer;
          },
        };
      },
    ),
    by: "conc/equal-edits",
  },
  {
    ...mutant(
      "copy/mirrors",
      "M1",
      "A directory that is copied over another removes what the source does not have.",
      (inner) => ({
        copy: async (from, to, options) => {
          const before = (await inner.glob("**", to)).files ?? [];
          const answer = await inner.copy(from, to, options);
          if (answer.error !== undefined || (await inner.ls(from)).error !== undefined)
            return answer;
          const source = new Set((await inner.glob("**", from)).files?.map(({ path }) => path));
          for (const { path } of before)
            if (!source.has(from + path.slice(to.length))) await inner.delete(path);
          return answer;
        },
      }),
    ),
    by: "copy/merges-when-asked",
  },
  {
    ...mutant(
      "move/takes-the-type-along",
      "R8",
      "A moved file keeps the type of the name that it was created with.",
      (inner) => {
        const types = new Map<string, string | undefined>();
        return {
          move: async (from, to, options) => {
            const { mimeType } = await inner.read(from);
            const answer = await inner.move(from, to, options);
            if (answer.error === undefined) types.set(to, mimeType);
            return answer;
          },
          read: async (path, ...rest) => {
            const answer = await inner.read(path, ...rest);
            const mimeType = types.get(path);
            return answer.error === undefined && mimeType !== undefined
              ? { ...answer, mimeType }
              : answer;
          },
        };
      },
    ),
    by: "move/type-of-new-name",
  },
  {
    ...mutant(
      "edit/names-the-canonical-path",
      "A6",
      "The sentence about a text that is not there names another spelling of the path than the call.",
      (inner) => ({
        edit: async (path, ...rest) => {
          const answer = await inner.edit(path, ...rest);
          return answer.code === "no_match" ? inner.edit(posix.normalize(path), ...rest) : answer;
        },
      }),
    ),
    by: "guard/error-sentences",
  },
];
