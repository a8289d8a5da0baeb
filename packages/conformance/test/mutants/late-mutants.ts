import { setImmediate as turn } from "node:timers/promises";
import type { BackendProtocolV2, ReadResult } from "@fs/protocol";
import type { VolumeBackend } from "@fs/protocol/author";
import { mutant, shared, type Mutant } from "./mutant.js";

/** Turns of the event loop that an answer is on its way. */
const WAY = 3;

async function late<T>(answer: T): Promise<T> {
  for (let n = 0; n < WAY; n++) await turn();
  return answer;
}

/** A read whose answer is late. */
async function lateRead(
  inner: VolumeBackend,
  args: Parameters<VolumeBackend["read"]>,
): Promise<ReadResult> {
  return late(await inner.read(...args));
}

/** What all clients do after each change. */
interface Heard {
  readonly listeners: Array<() => void>;
}

function heardChanges(inner: VolumeBackend, { listeners }: Heard): Partial<BackendProtocolV2> {
  const hear = async <T>(answer: Promise<T>): Promise<T> => {
    const changed = await answer;
    for (const listener of listeners) listener();
    return changed;
  };
  return {
    write: (...args) => hear(inner.write(...args)),
    edit: (...args) => hear(inner.edit(...args)),
    delete: (...args) => hear(inner.delete(...args)),
    move: (...args) => hear(inner.move(...args)),
  };
}

/** What was asked before a change and is answered after it, and what a rare way of changing leaves behind. */
export const LATE_MUTANTS: readonly Mutant[] = [
  {
    ...shared(
      "late/read-of-before",
      "A7",
      "A read joins one of the same file that was sent before a change which has been answered since.",
      () => ({}),
      (inner) => {
        const underWay = new Map<string, Promise<ReadResult>>();
        return {
          read: (...args) => {
            const key = JSON.stringify(args);
            const pending =
              underWay.get(key) ?? lateRead(inner, args).finally(() => void underWay.delete(key));
            underWay.set(key, pending);
            return pending;
          },
        };
      },
    ),
    by: "peer/late-answers",
  },
  {
    ...shared(
      "late/kept-after-the-change",
      "A7",
      "What was read before a change is kept when its answer comes after it.",
      (): Heard => ({ listeners: [] }),
      (inner, heard) => {
        const kept = new Map<string, ReadResult>();
        heard.listeners.push(() => kept.clear());
        return {
          ...heardChanges(inner, heard),
          read: async (...args) => {
            const key = JSON.stringify(args);
            const answer = kept.get(key) ?? (await lateRead(inner, args));
            kept.set(key, answer);
            return answer;
          },
        };
      },
    ),
    by: "peer/late-answers",
  },
  {
    ...mutant(
      "stat/type-of-a-library",
      "F1",
      "stat asks a library for types: a file of TypeScript is a video.",
      (inner) => ({
        stat: async (path, options) => {
          const answer = await inner.stat(path, options);
          if (answer.info?.is_dir !== false || !path.endsWith(".ts")) return answer;
          return { info: { ...answer.info, mimeType: "video/mp2t" } };
        },
      }),
    ),
    by: "stat/media-types",
  },
  {
    ...mutant(
      "copy/root-is-never-there",
      "M1",
      "The root has no entry of its own, so that a directory is copied over it without being asked to.",
      (inner) => ({
        copy: (from, to, options) =>
          inner.copy(from, to, to === "/" ? { ...options, overwrite: true } : options),
      }),
    ),
    by: "copy/over-the-root",
  },
  {
    ...mutant(
      "copy/merged-at-the-version-before",
      "F2",
      "A file that the copy of a directory replaces keeps its version.",
      (inner) => {
        const before = new Map<string, string | undefined>();
        return {
          copy: async (from, to, options) => {
            const replaced = await inner.glob("**", to);
            const isDirectory = (await inner.stat(from)).info?.is_dir === true;
            const versions = await inner.downloadFiles(
              (replaced.files ?? []).map(({ path }) => path),
            );
            const answer = await inner.copy(from, to, options);
            if (isDirectory && answer.error === undefined)
              for (const { path, version } of versions) before.set(path, version);
            return answer;
          },
          read: async (path, ...rest) => {
            const answer = await inner.read(path, ...rest);
            const version = before.get(path) ?? answer.version;
            return answer.error === undefined && version !== undefined
              ? { ...answer, version }
              : answer;
          },
        };
      },
    ),
    by: "version/of-relocation",
  },
  {
    ...shared(
      "late/second-try-on-no-condition",
      "W5",
      "An edit that lost a race is tried again without the caller's version.",
      () => ({}),
      (inner) => ({
        edit: async (path, old, to, all, options) => {
          const { version } = await inner.read(path);
          const isSame = options?.ifVersion === undefined || options.ifVersion === version;
          if (!isSame) return inner.edit(path, old, to, all, options);
          await late(undefined);
          const answer = await inner.edit(path, old, to, all, options);
          if (answer.code !== "conflict") return answer;
          return inner.edit(path, old, to, all);
        },
      }),
    ),
    by: "peer/versioned-beside-changes",
  },
];
