import { mutant, type Mutant } from "./mutant.js";

const encoder = new TextEncoder();

/** Texts and names that mean something to the storage, and should mean nothing. */
export const MEANING_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "write/escapes-as-a-mailbox",
      "W3",
      "A line that begins with 'From ' is escaped and stays so.",
      (inner) => ({
        write: (path, content, options) =>
          inner.write(path, content.replaceAll(/^From /gm, ">From "), options),
      }),
    ),
    by: "write/texts-with-meaning",
  },
  {
    ...mutant(
      "read/front-matter-is-metadata",
      "R1",
      "What stands between two rules at the top of a text is taken for metadata, and left out.",
      (inner) => ({
        read: async (path, ...rest) => {
          const page = await inner.read(path, ...rest);
          return typeof page.content === "string"
            ? { ...page, content: page.content.replace(/^---\n(?:[^\n]*\n)*?---\n/, "") }
            : page;
        },
      }),
    ),
    by: "write/texts-with-meaning",
  },
  {
    ...mutant(
      "write/keeps-metadata-beside",
      "A7",
      "What the storage knows of a file is kept beside it, under a name that an agent may use.",
      (inner) => ({
        write: async (path, ...rest) => {
          const answer = await inner.write(path, ...rest);
          const beside = `${path}.meta.json`;
          if (answer.error === undefined && (await inner.stat(beside)).error === undefined)
            await inner.uploadFiles([[beside, encoder.encode("{}")]]);
          return answer;
        },
      }),
    ),
    by: "path/beside-names-of-tools",
  },
  {
    ...mutant(
      "write/numbers-for-names",
      "P3",
      "A name that is a decimal number is stored as that number.",
      (inner) => ({
        write: (path, ...rest) => {
          const stored = path.replaceAll(/(?<=\/)\d+\.\d+(?=\/|$)/g, (name) => `${Number(name)}`);
          return inner.write(stored, ...rest);
        },
      }),
    ),
    by: "path/ordinary-names",
  },
  {
    ...mutant(
      "glob/obeys-ignore-lists",
      "G1",
      "What a list of files to ignore names is not found.",
      (inner) => ({
        glob: async (pattern, ...rest) => {
          const answer = await inner.glob(pattern, ...rest);
          const list = await inner.read("/.gitignore");
          if (answer.files === undefined || typeof list.content !== "string") return answer;
          const all = list.content.split("\n").includes("*");
          return { ...answer, files: all ? [] : answer.files };
        },
      }),
    ),
    by: "path/nothing-left-out",
  },
  {
    ...mutant(
      "read/types-by-any-property",
      "R7",
      "A type is looked up by its extension in an object, which knows 'constructor' too.",
      (inner) => ({
        read: async (path, ...rest) => {
          const page = await inner.read(path, ...rest);
          if (!/\.(?:constructor|toString|valueOf)$/.test(path) || typeof page.content !== "string")
            return page;
          return { ...page, content: encoder.encode(page.content) };
        },
      }),
    ),
    by: "path/nothing-left-out",
  },
  {
    ...mutant(
      "delete/range-ends-too-early",
      "D1",
      "A directory is a range of keys that ends at U+FFFF: what sorts behind it stays.",
      (inner) => ({
        delete: async (path, options) => {
          const files = (await inner.glob("**", path)).files ?? [];
          const astral = files.filter(
            (file) => (file.path.codePointAt(path.length + 1) ?? 0) > 0xffff,
          );
          const kept = await inner.downloadFiles(astral.map((file) => file.path));
          const answer = await inner.delete(path, options);
          if (answer.error === undefined)
            await inner.uploadFiles(
              kept.map((file) => [file.path, file.content ?? new Uint8Array()]),
            );
          return answer;
        },
      }),
    ),
    by: "delete/names-from-first-to-last",
  },
  {
    ...mutant(
      "delete/counts-what-was-replaced",
      "D2",
      "A directory counts one file too many once a move has replaced one in it, and stays when it is empty.",
      (inner) => {
        let ghost: string | undefined;
        return {
          move: async (from, to, options) => {
            const replaces = options?.overwrite === true && !(await inner.stat(to)).error;
            const answer = await inner.move(from, to, options);
            if (replaces && answer.error === undefined) ghost = `/${to.split("/")[1] ?? ""}/`;
            return answer;
          },
          ls: async (path, options) => {
            const answer = await inner.ls(path, options);
            if (ghost === undefined || path !== "/" || answer.files === undefined) return answer;
            const others = answer.files.filter((file) => file.path !== ghost);
            return { ...answer, files: [...others, { path: ghost, is_dir: true }] };
          },
        };
      },
    ),
    by: "delete/last-of-a-directory",
  },
  {
    ...mutant(
      "edit/caller's-spelling-in-lines-of-the-file",
      "E5",
      "The caller's spelling of the path is put into the lines that a refusal shows, too.",
      (inner) => ({
        edit: async (path, ...rest) => {
          const answer = await inner.edit(path, ...rest);
          return answer.error === undefined
            ? answer
            : { ...answer, error: answer.error.replaceAll("'/d/a.txt'", `'${path}'`) };
        },
      }),
    ),
    by: "edit/shown-lines-as-they-are",
  },
  {
    ...mutant(
      "edit/first-lines-that-resemble",
      "E5",
      "Of the lines that resemble a text the first three are shown, and not the closest.",
      (inner) => ({
        edit: async (path, old, ...rest) => {
          const answer = await inner.edit(path, old, ...rest);
          if (answer.code !== "no_match" || !answer.error.includes("closest")) return answer;
          const lines = String((await inner.read(path)).content).split("\n");
          const shown = lines.filter((line) => line.startsWith(old.slice(0, 11))).slice(0, 3);
          return { ...answer, error: `Not found. The closest lines are:\n${shown.join("\n")}` };
        },
      }),
    ),
    by: "edit/closest-of-many",
  },
  {
    ...mutant(
      "edit/names-the-line-after-a-line-end",
      "E5",
      "What begins with a line end is said to be in the line behind it.",
      (inner) => ({
        edit: async (path, old, ...rest) => {
          const answer = await inner.edit(path, old, ...rest);
          if (answer.code !== "not_unique" || !old.startsWith("\n")) return answer;
          const error = answer.error.replace(/lines [\d, ]+/, (lines) =>
            lines.replaceAll(/\d+/g, (line) => `${Number(line) + 1}`),
          );
          return { ...answer, error };
        },
      }),
    ),
    by: "edit/numbers-from-line-ends",
  },
];
