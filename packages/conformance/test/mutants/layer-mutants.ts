import { setImmediate as turn } from "node:timers/promises";
import { MemoryVolume } from "@fs/protocol";
import { listingOf, type VolumeBackend, type VolumeEntry } from "@fs/protocol/author";
import { faultyVolume, mutant, shared, type Mutant } from "./mutant.js";
import { readRawWith } from "./creation-times.js";

/** Entries of a page of a listing. */
const PAGE = 50;

/** Lists by the number of entries that were seen. */
class OffsetVolume extends MemoryVolume {
  override list(...args: Parameters<MemoryVolume["list"]>): ReturnType<MemoryVolume["list"]> {
    const all = async (): Promise<VolumeEntry[]> => {
      const entries: VolumeEntry[] = [];
      for await (const entry of super.list(...args)) entries.push(entry);
      return entries;
    };
    return listingOf(async function* () {
      for (let offset = 0; ; offset += PAGE) {
        const page = (await all()).slice(offset, offset + PAGE);
        yield page;
        if (page.length < PAGE) return;
        await turn();
      }
    });
  }
}

/** What lies between a backend and its storage: pages fetched beforehand, an index, a queue, a log of changes. */
export const LAYER_MUTANTS: readonly Mutant[] = [
  {
    ...shared(
      "page-fetched-beforehand",
      "R1",
      "The page after the one that was read is fetched with it, and kept until this client changes the file.",
      () => undefined,
      (inner) => {
        const fetched = new Map<string, Awaited<ReturnType<typeof inner.read>>>();
        return {
          read: async (path, offset = 0, limit = 500, ...rest) => {
            const known = fetched.get(`${path}:${offset}:${limit}`);
            fetched.clear();
            if (known?.content !== undefined) return known;
            const page = await inner.read(path, offset, limit, ...rest);
            if (page.nextOffset !== undefined)
              fetched.set(
                `${path}:${offset + limit}:${limit}`,
                await inner.read(path, offset + limit, limit),
              );
            return page;
          },
          edit: async (...args) => {
            fetched.clear();
            return inner.edit(...args);
          },
        };
      },
    ),
    by: "peer/next-page-of-a-change",
  },
  {
    ...mutant(
      "glob/index-without-copies",
      "G1",
      "A search for one name looks into an index, which learns nothing of copies.",
      (inner) => {
        const copied = new Set<string>();
        return {
          copy: async (from, to, options) => {
            const answer = await inner.copy(from, to, options);
            if (answer.error === undefined) copied.add(to);
            return answer;
          },
          glob: async (pattern, ...rest) => {
            const answer = await inner.glob(pattern, ...rest);
            if (answer.files === undefined || !/^\*\*\/[\w.]+$/.test(pattern)) return answer;
            return { ...answer, files: answer.files.filter(({ path }) => !copied.has(path)) };
          },
        };
      },
    ),
    by: "glob/by-name-after-changes",
  },
  {
    ...faultyVolume(
      "ls/pages-by-offset",
      "L1",
      "A listing goes on after as many entries as it has given, whatever was removed meanwhile.",
      () => new OffsetVolume(),
    ),
    by: "conc/list-during-delete",
  },
  {
    ...mutant(
      "multiEdit/list-read-in-its-turn",
      "A5",
      "A multiEdit that waits for another call of its file reads its list when its turn has come.",
      (inner) => {
        const lines = new Map<string, Promise<unknown>>();
        return {
          multiEdit: (path, ...rest) => {
            const before = lines.get(path);
            const call = (): ReturnType<VolumeBackend["multiEdit"]> =>
              inner.multiEdit(path, ...rest);
            const answer = before === undefined ? call() : before.then(call);
            lines.set(path, answer);
            void answer.finally(() => lines.get(path) === answer && lines.delete(path));
            return answer;
          },
        };
      },
    ),
    by: "matrix/multi-edit-arguments-in-line",
  },
  {
    ...mutant(
      "edit/log-put-together-is-a-new-file",
      "W7",
      "Sixteen changes of a file are put together, and stored as a file that is made now.",
      (inner) => {
        const changes = new Map<string, number>();
        const created = new Map<string, string>();
        const counted = (path: string): void => {
          const count = (changes.get(path) ?? 0) + 1;
          changes.set(path, count);
          if (count % 16 === 0) created.set(path, new Date().toISOString());
        };
        return {
          edit: async (path, ...rest) => {
            counted(path);
            return inner.edit(path, ...rest);
          },
          multiEdit: async (path, ...rest) => {
            counted(path);
            return inner.multiEdit(path, ...rest);
          },
          readRaw: readRawWith(inner, created),
        };
      },
    ),
    by: "storage/creation-time-of-many-edits",
  },
];
