import { setImmediate as turn } from "node:timers/promises";
import type { MemoryBackend } from "@fs/protocol";
import { mutant, type Mutant, type Overrides } from "./mutant.js";

/** An answer whose parts are asked for one after the other. */
function mixed(
  method: "read" | "readRaw" | "downloadFiles" | "stat",
  bug: string,
  rule: "A7" | "F2",
  overrides: Overrides,
): Mutant {
  return {
    ...mutant(`mixed/${method}`, rule, bug, overrides),
    by: "conc/answers-of-one-content",
  };
}

/** Twice the same answer, the second one a turn later. */
async function twice<T>(ask: () => Promise<T>): Promise<readonly [T, T]> {
  const first = await ask();
  await turn();
  return [first, await ask()];
}

/** The version of what is there a turn later. */
async function laterVersion(
  inner: MemoryBackend,
  path: string,
): Promise<{ version: string } | undefined> {
  await turn();
  const { version } = await inner.read(path, 0, 0);
  return version === undefined ? undefined : { version };
}

/** What is answered of a file in parts, each of whatever content is there by then. */
export const MIXED_ANSWER_MUTANTS: readonly Mutant[] = [
  mixed("read", "The lines of a file are counted by another request.", "A7", (inner) => ({
    read: async (...args) => {
      const [page, later] = await twice(() => inner.read(...args));
      if (page.error !== undefined || later.totalLines === undefined) return page;
      return { ...page, totalLines: later.totalLines };
    },
  })),
  mixed("stat", "The version is asked for after the size.", "F2", (inner) => ({
    stat: async (...args) => {
      const [first, later] = await twice(() => inner.stat(...args));
      const version = later.info?.version;
      if (first.info === undefined || version === undefined) return first;
      return { info: { ...first.info, version } };
    },
  })),
  mixed("readRaw", "The version is asked for after the content.", "F2", (inner) => ({
    readRaw: async (path, options) => {
      const answer = await inner.readRaw(path, options);
      return answer.error === undefined
        ? { ...answer, ...(await laterVersion(inner, path)) }
        : answer;
    },
  })),
  mixed("downloadFiles", "The versions are asked for after the contents.", "F2", (inner) => ({
    downloadFiles: async (paths, options) => {
      const answers = await inner.downloadFiles(paths, options);
      return Promise.all(
        answers.map(async (answer) =>
          answer.error === null
            ? { ...answer, ...(await laterVersion(inner, answer.path)) }
            : answer,
        ),
      );
    },
  })),
];
