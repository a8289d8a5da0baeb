import { setImmediate as turn } from "node:timers/promises";
import { failure } from "@fs/protocol";
import { isWithin } from "@fs/protocol/author";
import { mutant, type Mutant, type Overrides } from "./mutant.js";

/** Rounds after which an edit gives up. */
const ROUNDS = 5;
/** Characters of an edit that takes so long that others meet it. */
const LARGE = 5000;

/** A write that another one overtook is made again, and makes room for itself above its path and below. */
const againWithoutALook: Overrides = (inner) => {
  const underWay = new Set<string>();
  return {
    write: async (path, content, options) => {
      const overtaken = [...underWay].some((at) => isWithin(path, at) || isWithin(at, path));
      underWay.add(path);
      try {
        const answer = await inner.write(path, content, options);
        if (!overtaken || (answer.code !== "not_directory" && answer.code !== "is_directory"))
          return answer;
        const { files = [] } = await inner.glob("**");
        const inTheWay = files.filter(
          (file) => isWithin(path, file.path) || isWithin(file.path, path),
        );
        for (const file of inTheWay) await inner.delete(file.path);
        return await inner.write(path, content, options);
      } finally {
        underWay.delete(path);
      }
    },
  };
};

/** Changes that meet others, a condition, or themselves. */
export const MEETING_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "delete/passes-over-what-is-locked",
      "D1",
      "A removal of a directory passes over a large file whose edit is under way, and is acknowledged.",
      (inner) => {
        const locked = new Set<string>();
        return {
          edit: async (path, old, ...rest) => {
            if (old.length < LARGE) return inner.edit(path, old, ...rest);
            locked.add(path);
            try {
              await turn();
              return await inner.edit(path, old, ...rest);
            } finally {
              locked.delete(path);
            }
          },
          delete: async (path, options) => {
            const [kept] = [...locked].filter((file) => file !== path && isWithin(file, path));
            if (kept === undefined) return inner.delete(path, options);
            const { files = [] } = await inner.glob("**", path);
            for (const file of files) if (file.path !== kept) await inner.delete(file.path);
            return { path };
          },
        };
      },
    ),
    by: "conc/removed-beside-an-edit",
  },
  {
    ...mutant(
      "delete/until-it-is-empty",
      "D2",
      "A removal of a directory removes its files again and again until it finds none, and so those that were created since.",
      (inner) => ({
        delete: async (path, options) => {
          for (;;) {
            const { files = [] } = await inner.glob("**", path);
            if (files.length < 2) return inner.delete(path, options);
            for (const file of files) await inner.delete(file.path);
          }
        },
      }),
    ),
    by: "conc/created-beside-a-removal",
  },
  {
    ...mutant(
      "write/again-without-a-look",
      "A7",
      "A write that another one overtook is made again without a look above and below its path, and what stands there goes.",
      againWithoutALook,
    ),
    by: "conc/above-and-below",
  },
  {
    ...mutant(
      "multi-edit/there-and-back-at-no-version",
      "W5",
      "Several edits that lead to what the file holds are answered before the version is compared.",
      (inner) => ({
        multiEdit: async (path, edits, options) => {
          const { content } = await inner.read(path, 0, 10_000);
          if (typeof content !== "string" || options?.ifVersion === undefined)
            return inner.multiEdit(path, edits, options);
          const led = edits.reduce((text, edit) => text.replace(edit.old, () => edit.new), content);
          return inner.multiEdit(path, edits, led === content ? {} : options);
        },
      }),
    ),
    by: "version/of-no-change",
  },
  {
    ...mutant(
      "edit/occurrences-of-the-first-round",
      "E1",
      "An edit of all answers the occurrences that it counted before it was tried again.",
      (inner) => ({
        edit: async (path, old, text, all, options) => {
          if (all !== true) return inner.edit(path, old, text, all, options);
          const { content } = await inner.read(path, 0, 10_000);
          await turn();
          const answer = await inner.edit(path, old, text, all, options);
          if (answer.error !== undefined || typeof content !== "string" || old === "")
            return answer;
          const occurrences = content.split(old).length - 1;
          return { ...answer, occurrences: occurrences === 0 ? answer.occurrences : occurrences };
        },
      }),
    ),
    by: "conc/counted-beside-additions",
  },
  {
    ...mutant(
      "multi-edit/gives-up-early",
      "E7",
      "Several edits in one call are tried five times, and then refused though they still apply.",
      (inner) => ({
        multiEdit: async (path, edits, options) => {
          if (options?.ifVersion !== undefined) return inner.multiEdit(path, edits, options);
          for (let round = 0; round < ROUNDS; round++) {
            const { version } = await inner.read(path, 0, 1);
            if (version === undefined) return inner.multiEdit(path, edits, options);
            await turn();
            const answer = await inner.multiEdit(path, edits, { ...options, ifVersion: version });
            if (answer.code !== "conflict") return answer;
          }
          return failure("conflict", path);
        },
      }),
    ),
    by: "conc/multi-edits",
  },
  {
    ...mutant(
      "upload/versions-judged-for-the-batch",
      "T3",
      "All versions of a batch are compared before its first file is stored.",
      (inner) => ({
        uploadFiles: async (files, options) => {
          const versions = await Promise.all(
            files.map(async ([path]) => (await inner.read(path, 0, 1)).version),
          );
          return inner.uploadFiles(
            files.map((file, n) => {
              const [path, bytes, condition] = file;
              const right =
                condition?.ifVersion !== undefined && versions[n] === condition.ifVersion;
              return right ? [path, bytes] : file;
            }),
            options,
          );
        },
      }),
    ),
    by: "upload/one-condition-twice",
  },
  {
    ...mutant(
      "upload/empty-version-is-none",
      "W5",
      "An empty version in a batch counts as no condition.",
      (inner) => ({
        uploadFiles: (files, options) =>
          inner.uploadFiles(
            Array.isArray(files)
              ? files.map((file) => (file?.[2]?.ifVersion === "" ? [file[0], file[1]] : file))
              : files,
            options,
          ),
      }),
    ),
    by: "upload/conditions-apart",
  },
];
