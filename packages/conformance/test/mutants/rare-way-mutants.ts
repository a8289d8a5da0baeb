import { setImmediate as turn } from "node:timers/promises";
import { isWithin } from "@fs/protocol/author";
import { mutant, type Mutant, type Overrides } from "./mutant.js";
import { readRawWith } from "./creation-times.js";

/** Characters of a line, and of the lines around one, that are looked at. */
const LINE = 8192;
/** Entries of a page, and of a part of a batch. */
const PAGE = 100;
const PART = 64;

type Call = (...args: unknown[]) => Promise<{ error?: unknown }>;
interface Page {
  files?: Array<{ path: string }>;
  truncated?: boolean;
  nextAfter?: string;
  error?: string;
}

/** A mutant that one case must notice: its own. */
function noticedBy(by: string, ...how: Parameters<typeof mutant>): Mutant {
  return { ...mutant(...how), by };
}

/** Gives searches that are under way at once one answer, by a key. */
function sharedSearches(keyOf: (pattern: string, ignoreCase: boolean) => string): Overrides {
  return (inner) => {
    const underWay = new Map<string, ReturnType<typeof inner.grep>>();
    return {
      grep: async (pattern, path, glob, count, options) => {
        const { signal: _, ...said } = options ?? {};
        const key = JSON.stringify([
          keyOf(pattern, said.ignoreCase === true),
          path,
          glob,
          count,
          said,
        ]);
        const pending =
          underWay.get(key) ??
          turn()
            .then(() => inner.grep(pattern, path, glob, count, options))
            .finally(() => underWay.delete(key));
        underWay.set(key, pending);
        return structuredClone(await pending);
      },
    };
  };
}

/** Bugs of ways that are seldom taken: an option beside a place, a size, a second time, another order. */
export const RARE_WAY_MUTANTS: readonly Mutant[] = [
  noticedBy(
    "storage/creation-time-of-conditional-edits",
    "edit/makes-the-file-anew-at-a-version",
    "W7",
    "An edit that names a version makes the file anew, and with it the time of its creation.",
    (inner) => {
      const anew = new Map<string, string>();
      return {
        edit: async (path, old, to, all, options) => {
          const answer = await inner.edit(path, old, to, all, options);
          if (options?.ifVersion !== undefined) anew.set(path, new Date().toISOString());
          return answer;
        },
        readRaw: readRawWith(inner, anew),
      };
    },
  ),
  noticedBy(
    "scale/long-lines-in-every-search",
    "grep/looks-at-the-beginning-in-any-case",
    "S8",
    "In any case a search looks at the beginning of a long line alone.",
    (inner) => ({
      grep: async (pattern, path, glob, count, options) => {
        const answer = await inner.grep(pattern, path, glob, count, options);
        if (options?.ignoreCase !== true || options.regex === true) return answer;
        const wanted = pattern.toLowerCase();
        const matches = answer.matches?.filter(({ text }) =>
          text.slice(0, LINE).toLowerCase().includes(wanted),
        );
        return matches === undefined ? answer : { ...answer, matches };
      },
    }),
  ),
  noticedBy(
    "scale/long-lines-in-every-search",
    "grep/long-lines-around-are-left-out",
    "S8",
    "A long line beside a match is not shown.",
    (inner) => ({
      grep: async (...args) => {
        const answer = await inner.grep(...args);
        const short = (lines: string[] | undefined): string[] | undefined =>
          lines?.filter((line) => line.length < LINE);
        for (const match of answer.matches ?? []) {
          const [before, after] = [short(match.before), short(match.after)];
          if (before !== undefined) match.before = before;
          if (after !== undefined) match.after = after;
        }
        return answer;
      },
    }),
  ),
  noticedBy(
    "transfer/same-paths-many-times",
    "download/row-is-used-up",
    "T1",
    "In a large download a path that comes again is not there.",
    (inner) => ({
      downloadFiles: async (paths, options) => {
        const answers = await inner.downloadFiles(paths, options);
        return answers.map((answer, n) =>
          paths.length > PART && paths.indexOf(answer.path) < n
            ? { path: answer.path, content: null, error: "file_not_found", code: "not_found" }
            : answer,
        );
      },
    }),
  ),
  ...(["ls", "glob"] as const).map((method) =>
    noticedBy(
      "scale/directory-101",
      `${method}/a-full-page-is-not-the-last`,
      "L5",
      `A page of ${method} that is full says that there are more.`,
      (inner) => ({
        [method]: async (...args: unknown[]) => {
          const answer = (await (inner[method] as Call)(...args)) as Page;
          const last = answer.files?.[PAGE - 1]?.path;
          if (answer.files?.length !== PAGE || last === undefined) return answer;
          return { ...answer, truncated: true, nextAfter: last };
        },
      }),
    ),
  ),
  ...(["move", "copy"] as const).map((method) =>
    noticedBy(
      `${method}/to-another-case`,
      `${method}/to-another-case-is-nothing`,
      "M1",
      `A ${method} to the same name in another case is acknowledged and not made.`,
      (inner) => ({
        [method]: async (from: string, to: string, options?: object) =>
          from.toLowerCase() === to.toLowerCase() && from !== to
            ? { path: to, files: 1 }
            : inner[method](from, to, options),
      }),
    ),
  ),
  ...(["move", "copy"] as const).map((method) =>
    noticedBy(
      "refusal/two-paths-as-written",
      `${method}/names-another-spelling`,
      "A6",
      `A ${method} to what is there names the destination in the spelling of the storage.`,
      (inner) => ({
        [method]: async (from: string, to: string, options?: object) => {
          const answer = await inner[method](from, to, options);
          if (answer.code !== "already_exists") return answer;
          const error = answer.error.replace(to, () => to.replaceAll(/\/(?:\.\/|\/)+/g, "/"));
          return { ...answer, error };
        },
      }),
    ),
  ),
  ...(["ls", "glob"] as const).map((method) =>
    noticedBy(
      "path/pages-of-forms",
      `${method}/composes-the-cursor`,
      "L5",
      `A page of ${method} goes on behind the composed form of the last name.`,
      (inner) => ({
        [method]: async (...args: unknown[]) => {
          const options = args.at(-1) as { after?: unknown } | undefined;
          if (typeof options?.after !== "string") return (inner[method] as Call)(...args);
          const after = options.after.normalize("NFC");
          return (inner[method] as Call)(...args.slice(0, -1), { ...options, after });
        },
      }),
    ),
  ),
  noticedBy(
    "found/whichever-look-came-first",
    "stat/knows-what-ls-knows",
    "F1",
    "What a listing has said of a file is taken for all that stat says.",
    (inner) => {
      const listed = new Set<string>();
      return {
        ls: async (...args) => {
          const answer = await inner.ls(...args);
          for (const { path } of answer.files ?? []) listed.add(path);
          return answer;
        },
        stat: async (path: string, options?: object) => {
          const answer = await inner.stat(path, options);
          if (listed.has(path) && answer.info !== undefined) delete answer.info.mimeType;
          return answer;
        },
      };
    },
  ),
  noticedBy(
    "multi-edit/there-and-back",
    "multiEdit/counts-what-is-left",
    "E8",
    "Edits that undo each other count for nothing.",
    (inner) => ({
      multiEdit: async (path, edits, options) => {
        const before = (await inner.readRaw(path)).data?.content;
        const answer = await inner.multiEdit(path, edits, options);
        const after = (await inner.readRaw(path)).data?.content;
        const isSame = answer.error === undefined && before === after;
        return isSame && edits.some((edit) => edit.old !== edit.new)
          ? { ...answer, occurrences: 0 }
          : answer;
      },
    }),
  ),
  noticedBy(
    "upload/same-path-far-apart",
    "upload/rows-by-path",
    "F3",
    "Of a path that comes twice in a batch both answers are the last one.",
    (inner) => ({
      uploadFiles: async (files, options) => {
        const answers = await inner.uploadFiles(files, options);
        const last = new Map(answers.map((answer) => [answer.path, answer]));
        return answers.map((answer) => ({ ...answer, ...last.get(answer.path) }));
      },
    }),
  ),
  noticedBy(
    "guard/asked-otherwise-at-once",
    "grep/shares-by-the-expression-in-lower-case",
    "S8",
    "Searches in any case at the same time share a request by their expressions in lower case.",
    sharedSearches((pattern, ignoreCase) => (ignoreCase ? pattern.toLowerCase() : pattern)),
  ),
  noticedBy(
    "path/new-directories",
    "stat/far-above-stays-missing",
    "F1",
    "That a directory is missing is kept where a file is made far below it.",
    (inner) => {
      const missing = new Map<string, Awaited<ReturnType<typeof inner.stat>>>();
      return {
        stat: async (path: string, options?: object) => {
          const known = missing.get(path);
          if (known !== undefined) return structuredClone(known);
          const answer = await inner.stat(path, options);
          if (answer.code === "not_found") missing.set(path, structuredClone(answer));
          return answer;
        },
        write: async (path, ...rest) => {
          for (const above of missing.keys())
            if (!isWithin(path, above) || path.slice(above.length).split("/").length <= 5)
              missing.delete(above);
          return inner.write(path, ...rest);
        },
      };
    },
  ),
];
