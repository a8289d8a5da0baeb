import { setImmediate as turn } from "node:timers/promises";
import { MemoryVolume } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { mutant, overlay, shared, type Mutant } from "./mutant.js";
import { readRawWith } from "./creation-times.js";

const decoder = new TextDecoder();

/** What a call shares with those beside it: a request, a turn, options, a place in a list, a file. */
export const AMONG_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "read/shares-the-first-signal",
      "A8",
      "Equal reads share one request, which carries the signal of the first.",
      (inner) => {
        const underWay = new Map<string, ReturnType<typeof inner.readRaw>>();
        return {
          readRaw: async (path, options) => {
            const known = underWay.get(path);
            if (known !== undefined) return structuredClone(await known);
            const request = turn().then(() => inner.readRaw(path, options));
            underWay.set(path, request);
            void request.finally(() => underWay.delete(path));
            return structuredClone(await request);
          },
        };
      },
    ),
    by: "guard/aborted-among-equals",
  },
  {
    ...mutant(
      "grep/aborted-is-short",
      "A8",
      "A search that is aborted on the way answers what it has found as if it were all.",
      (inner) => ({
        grep: async (pattern, path, glob, count, options) => {
          const { signal, ...others } = options ?? {};
          if (signal === undefined || signal.aborted)
            return inner.grep(pattern, path, glob, count, options);
          const answer = await inner.grep(pattern, path, glob, count, others);
          if (!signal.aborted || answer.matches === undefined) return answer;
          return { ...answer, matches: answer.matches.slice(0, 5) };
        },
      }),
    ),
    by: "guard/aborted-or-whole",
  },
  {
    ...shared(
      "aborted-keeps-its-turn",
      "A8",
      "An upload that is aborted while it waits is given the lock all the same, and never gives it back.",
      () => new Map<string, { waiting: number; lost: boolean }>(),
      (inner, locks) => ({
        uploadFiles: async (files, options) => {
          const path = String(files[0]?.[0]);
          const lock = locks.get(path) ?? { waiting: 0, lost: false };
          locks.set(path, lock);
          const waits = lock.waiting > 0;
          if (lock.lost) return [{ path, error: "permission_denied", code: "timeout" }];
          lock.waiting++;
          await turn();
          const answer = await inner.uploadFiles(files, options);
          if (waits && options?.signal?.aborted === true) lock.lost = true;
          lock.waiting--;
          return answer;
        },
      }),
    ),
    by: "peer/aborted-frees-the-next",
  },
  {
    ...mutant(
      "edit/listens-while-it-waits",
      "A8",
      "An edit that waits for another one listens to its signal, and never stops.",
      (inner) => {
        let underWay = 0;
        return {
          edit: async (path, old, to, all, options) => {
            if (underWay > 0) options?.signal?.addEventListener("abort", () => undefined);
            underWay++;
            const answer = await inner.edit(path, old, to, all, options);
            underWay--;
            return answer;
          },
        };
      },
    ),
    by: "conc/edits-leave-no-listeners",
  },
  {
    ...mutant(
      "write/reads-options-late",
      "A5",
      "The options are read once the caller has its promise.",
      (inner) => ({
        write: async (path, content, options) => {
          await Promise.resolve();
          return inner.write(path, content, options);
        },
      }),
    ),
    by: "guard/options-read-at-once",
  },
  {
    ...mutant(
      "grep/context-of-another-read",
      "A7",
      "The lines around a match are cut out of a second read of the file.",
      (inner) => ({
        grep: async (pattern, path, glob, count, options) => {
          const { before = 0, after = 0, ...others } = options ?? {};
          const answer = await inner.grep(pattern, path, glob, count, others);
          if (before + after === 0 || answer.matches === undefined) return answer;
          await turn();
          const matches = [];
          for (const match of answer.matches) {
            const [file] = await inner.downloadFiles([match.path]);
            const lines = decoder.decode(file?.content ?? new Uint8Array()).split("\n");
            const around = (from: number, to: number): string[] =>
              lines.slice(Math.max(0, from), to);
            matches.push({
              ...match,
              before: around(match.line - 1 - before, match.line - 1),
              after: around(match.line, match.line + after),
            });
          }
          return { ...answer, matches };
        },
      }),
    ),
    by: "conc/context-of-one-content",
  },
  {
    ...shared(
      "creation-time-of-another",
      "W7",
      "The time of creation is kept by the client that made the file; an edit of another one sets it to now.",
      () => new Map<string, string>(),
      (inner, created) => {
        const own = new Set<string>();
        return {
          write: async (path, ...rest) => {
            own.add(path);
            return inner.write(path, ...rest);
          },
          edit: async (path, ...rest) => {
            if (!own.has(path)) created.set(path, new Date().toISOString());
            return inner.edit(path, ...rest);
          },
          readRaw: readRawWith(inner, created),
        };
      },
    ),
    by: "peer/creation-time",
  },
  {
    ...shared(
      "version-of-a-later-look",
      "F3",
      "A write answers the version that a look afterwards finds.",
      () => undefined,
      (inner) => ({
        write: async (path, ...rest) => {
          const answer = await inner.write(path, ...rest);
          const { info } = await inner.stat(path);
          return answer.error === undefined && info?.version !== undefined
            ? { ...answer, version: info.version }
            : answer;
        },
      }),
    ),
    by: "peer/version-of-own-change",
  },
  {
    name: "copy/takes-back-what-others-changed",
    rule: "M6",
    bug: "A copy that fails removes what it has stored in whatever version it is by then.",
    by: "peer/copy-failed-beside-edits",
    create: () => takingBack(new MemoryVolume()),
    pair: () => {
      const volume = new MemoryVolume();
      return [takingBack(volume), takingBack(volume)];
    },
  },
  {
    ...mutant(
      "upload/refused-stands-in-the-way",
      "T1",
      "A file of a batch counts as one that is there, also where it is refused.",
      (inner) => ({
        uploadFiles: async (files, options) => {
          const paths = files.map(([path]) => path);
          const isBelow = (path: string): boolean =>
            paths.some((other) => path.startsWith(`${other}/`));
          const answers = await inner.uploadFiles(
            files.filter(([path]) => !isBelow(path)),
            options,
          );
          return paths.map((path) =>
            isBelow(path)
              ? { path, error: "invalid_path", code: "not_directory" }
              : (answers.shift() ?? { path, error: "invalid_path" }),
          );
        },
      }),
    ),
    by: "upload/refused-in-nobodys-way",
  },
  {
    ...mutant(
      "glob/page-is-a-place",
      "L5",
      "The next page begins at the place in the list where the last one ended.",
      (inner) => {
        const places = new Map<string, number>();
        return {
          glob: async (pattern, path, options) => {
            const answer = await inner.glob(pattern, path, options);
            const { limit, after } = options ?? {};
            const place = places.get(after ?? "");
            if (answer.nextAfter !== undefined)
              places.set(answer.nextAfter, (place ?? 0) + (limit ?? 0));
            if (place === undefined || limit === undefined) return answer;
            const all = (await inner.glob(pattern, path)).files ?? [];
            return { ...answer, files: all.slice(place, place + limit) };
          },
        };
      },
    ),
    by: "glob/pages-beside-changes",
  },
];

/** A backend whose copies take back without a condition. */
function takingBack(storage: MemoryVolume): ReturnType<Mutant["create"]> {
  let copying = 0;
  const volume = overlay(storage, {
    remove: (...[path, condition]: Parameters<MemoryVolume["remove"]>) =>
      storage.remove(path, copying > 0 ? {} : condition),
    // Without hooks of its own the generic way copies file by file.
    copyFile: undefined,
    copyTree: undefined,
    moveTree: undefined,
  });
  const inner = new VolumeBackend(volume);
  return overlay(inner, {
    copy: async (...args: Parameters<typeof inner.copy>) => {
      copying++;
      try {
        return await inner.copy(...args);
      } finally {
        copying--;
      }
    },
  });
}
