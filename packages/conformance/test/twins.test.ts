import { MemoryBackend, type BackendProtocolV2 } from "@fs/protocol";
import { allCases, runConformance } from "@fs/conformance";
import { expect, test } from "vitest";
import { overlay, type Overrides } from "./mutants/mutant.js";

/** For each comparison with a twin a fault that it must notice, in what the backend's own rules are made of. */
const FAULTS: ReadonlyArray<readonly [id: string, fault: string, overrides: Overrides]> = [
  [
    "twin/grep-literal",
    "the context before a match is one line short",
    (inner) => ({
      grep: (pattern, path, glob, max, options) =>
        inner.grep(pattern, path, glob, max, {
          ...options,
          before: Math.max(0, (options?.before ?? 0) - 1),
        }),
    }),
  ],
  [
    "twin/grep-regex",
    "ignoreCase is lost on regular expressions",
    (inner) => ({
      grep: (pattern, path, glob, max, options) =>
        inner.grep(pattern, path, glob, max, {
          ...options,
          ignoreCase: options?.regex === true ? false : (options?.ignoreCase ?? false),
        }),
    }),
  ],
  [
    "twin/glob",
    "a class that is negated is not",
    (inner) => ({
      glob: (pattern, path, options) => inner.glob(pattern.replaceAll("[!", "["), path, options),
    }),
  ],
  [
    "twin/glob-names",
    "a question mark is any number of characters",
    (inner) => ({
      glob: (pattern, path, options) =>
        inner.glob(pattern.replaceAll(/(?<!\\)\?/g, "*"), path, options),
    }),
  ],
  [
    "twin/read-windows",
    "the page before the last has no next one",
    (inner) => ({
      read: async (path, offset, limit, options) => {
        const result = await inner.read(path, offset, limit, options);
        if (result.error !== undefined || result.totalLines === undefined) return result;
        const { nextOffset, ...rest } = result;
        return nextOffset === result.totalLines - 1 ? rest : result;
      },
    }),
  ],
  [
    "twin/edit",
    "a $& of the replacement is expanded",
    (inner) => ({
      edit: (path, old, to, all, options) =>
        inner.edit(
          path,
          old,
          to.replaceAll("$&", () => old),
          all,
          options,
        ),
    }),
  ],
  [
    "twin/multi-edit",
    "occurrences are those of the last edit",
    (inner) => ({
      multiEdit: async (path, edits, options) => {
        const result = await inner.multiEdit(path, edits, options);
        return result.error === undefined && edits.length > 1
          ? { ...result, occurrences: 1 }
          : result;
      },
    }),
  ],
  [
    "twin/write",
    "an empty text is stored as a blank one",
    (inner) => ({
      write: (path, content, options) => inner.write(path, content === "" ? " " : content, options),
    }),
  ],
  [
    "twin/upload",
    "the condition of every file but the first is lost",
    (inner) => ({
      uploadFiles: (files, options) =>
        inner.uploadFiles(
          files.map(([path, bytes, condition], n) =>
            n === 0 && condition !== undefined ? [path, bytes, condition] : [path, bytes],
          ),
          options,
        ),
    }),
  ],
  [
    "twin/download",
    "the answers are in the order of the names",
    (inner) => ({
      downloadFiles: (paths, options) => inner.downloadFiles(paths.toSorted(), options),
    }),
  ],
];

const run = async (create: () => BackendProtocolV2, only: string): Promise<string | undefined> => {
  const report = await runConformance({ name: "twin", create, profile: {} }, { only, seed: 1 });
  return report.cases[0]?.status;
};

test("every comparison with a twin has a fault here", () => {
  const twins = allCases().filter(({ id }) => id.startsWith("twin/"));
  expect(FAULTS.map(([id]) => id)).toEqual(twins.map(({ id }) => id));
});

test.each(FAULTS)("%s notices that %s", async (id, _, overrides) => {
  const faulty = (): BackendProtocolV2 => {
    const inner = new MemoryBackend();
    return overlay(inner, overrides(inner));
  };
  expect(await run(faulty, id)).toBe("fail");
  expect(await run(() => new MemoryBackend(), id)).toBe("pass");
});
