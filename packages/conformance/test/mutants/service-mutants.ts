import { setImmediate as turn } from "node:timers/promises";
import { type FileUploadResponse, MemoryVolume } from "@fs/protocol";
import {
  listingOf,
  type PutCondition,
  type Volume,
  VolumeBackend,
  type VolumeEntry,
} from "@fs/protocol/author";
import { faultyVolume, mutant, overlay, shared, type Mutant } from "./mutant.js";

/** Entries of a page of a listing, files of a part of a batch, bytes of a part of a content. */
const PAGE = 50;
const PART = 25;
const CHUNK = 256 * 1024;

/** What services do in ways of their own: look up without case, list by time, send in parts, know folders by number. */
export const SERVICE_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "move/takes-another-case-along",
      "P4",
      "A move of a directory finds its files without regard to case.",
      (inner) => ({
        move: async (from, to, options) => {
          const answer = await inner.move(from, to, options);
          if (answer.error !== undefined) return answer;
          const name = from.slice(from.lastIndexOf("/") + 1);
          const above = from.slice(0, from.length - name.length - 1);
          const { files = [] } = await inner.ls(above === "" ? "/" : above);
          for (const { path, is_dir: isDirectory } of files) {
            const bare = path.replace(/\/$/, "");
            const other = bare.slice(above.length + 1);
            if (isDirectory && other.toLowerCase() === name.toLowerCase())
              await inner.move(bare, to, { overwrite: true });
          }
          return answer;
        },
      }),
    ),
    by: "path/directories-alike",
  },
  {
    ...faultyVolume(
      "glob/pages-by-time",
      "L1",
      "A listing goes on after the time of the last entry: a file that is replaced meanwhile comes again.",
      () => {
        const inner = new MemoryVolume();
        return overlay(inner, {
          list: (...[directory, query]: Parameters<Volume["list"]>) =>
            listingOf(async function* () {
              const seen = new Set<string>();
              const ageOf = (entry: VolumeEntry): string =>
                `${entry.path} ${entry.kind === "file" ? entry.version : ""}`;
              for (;;) {
                const entries: VolumeEntry[] = [];
                for await (const entry of inner.list(directory, query))
                  if (!seen.has(ageOf(entry))) entries.push(entry);
                if (entries.length === 0) return;
                const page = entries.slice(0, PAGE);
                for (const entry of page) seen.add(ageOf(entry));
                yield page;
                await turn();
              }
            }),
        });
      },
    ),
    by: "conc/list-during-replacement",
  },
  {
    ...mutant(
      "upload/parts-in-reverse",
      "T1",
      "A long batch is sent in parts, the last one first.",
      (inner) => ({
        uploadFiles: async (files, options) => {
          if (files.length <= PART) return inner.uploadFiles(files, options);
          const parts = Array.from({ length: Math.ceil(files.length / PART) }, (_, n) =>
            files.slice(n * PART, (n + 1) * PART),
          );
          const answers: FileUploadResponse[] = [];
          for (const part of parts.toReversed())
            answers.unshift(...(await inner.uploadFiles(part, options)));
          return answers;
        },
      }),
    ),
    by: "upload/same-path-far-apart",
  },
  {
    ...faultyVolume(
      "read/large-in-parts",
      "A7",
      "A large content takes the place of another one part by part.",
      () => {
        const inner = new MemoryVolume();
        return overlay(inner, {
          put: async (path: string, bytes: Uint8Array, condition: PutCondition) => {
            const before = await inner.get(path);
            if (before !== undefined && bytes.length > CHUNK && condition.ifVersion === undefined) {
              const half = new Uint8Array(before.bytes);
              half.set(bytes.subarray(0, Math.min(CHUNK, half.length)));
              await inner.put(path, half, {});
              await turn();
            }
            return inner.put(path, bytes, condition);
          },
          putMany: undefined,
        });
      },
    ),
    by: "conc/no-torn-read",
  },
  {
    ...shared(
      "folder-known-by-number",
      "A7",
      "A client stores in the folder that it knows for a path, wherever another client has moved it.",
      () => new Map<string, string>(),
      (inner, moved) => {
        const known = new Set<string>();
        const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));
        return {
          move: async (from, to, options) => {
            const answer = await inner.move(from, to, options);
            if (answer.error === undefined) moved.set(from, to);
            known.delete(from);
            return answer;
          },
          write: async (path, text, options) => {
            const folder = folderOf(path);
            const elsewhere = known.has(folder) ? moved.get(folder) : undefined;
            known.add(folder);
            if (elsewhere === undefined) return inner.write(path, text, options);
            const stored = await inner.write(elsewhere + path.slice(folder.length), text, options);
            return stored.error === undefined ? { ...stored, path } : stored;
          },
        };
      },
    ),
    by: "peer/stored-where-a-directory-was",
  },
  {
    ...mutant(
      "move/two-into-each-other",
      "M2",
      "Whether a directory goes into itself is looked at before the move: of two that go into each other both vanish.",
      (inner) => {
        const going = new Map<string, string>();
        return {
          move: async (from, to, options) => {
            going.set(from, to);
            await turn();
            const crossing = [...going].find(
              ([other, target]) =>
                other !== from && to.startsWith(`${other}/`) && target.startsWith(`${from}/`),
            );
            const answer = await inner.move(from, to, options);
            if (crossing !== undefined) await inner.delete(crossing[0]);
            going.delete(from);
            return answer;
          },
        };
      },
    ),
    by: "conc/moves-into-each-other",
  },
  {
    ...mutant(
      "write/attributes-are-obeyed",
      "W3",
      "A file of attributes makes line ends of what is stored afterwards the same.",
      (inner) => {
        let isOn = false;
        return {
          write: async (path, text, options) => {
            if (path === "/.gitattributes") isOn = true;
            const kept = !isOn || path.endsWith("/.gitattributes");
            return inner.write(path, kept ? text : text.replaceAll("\r\n", "\n"), options);
          },
        };
      },
    ),
    by: "write/files-that-tools-obey",
  },
  {
    ...mutant(
      "upload/listener-of-a-batch",
      "A8",
      "An upload of several files leaves its listener on the signal.",
      (inner) => ({
        uploadFiles: async (files, options) => {
          if (files.length > 1)
            options?.signal?.addEventListener?.("abort", () => undefined, { once: true });
          return inner.uploadFiles(files, options);
        },
      }),
    ),
    by: "guard/batches-leave-no-listeners",
  },
  several(),
];

/** Several edits are made in a text that was read before, and stored without a condition. */
function several(): Mutant {
  const pair = (): readonly [ReturnType<Mutant["create"]>, ReturnType<Mutant["create"]>] => {
    const volume = new MemoryVolume();
    const client = (): ReturnType<Mutant["create"]> => {
      const inner = new VolumeBackend(volume);
      return overlay(inner, {
        multiEdit: async (...args: Parameters<typeof inner.multiEdit>) => {
          const [path, edits] = args;
          if (edits.length < 2) return inner.multiEdit(...args);
          const copy = new VolumeBackend(new MemoryVolume());
          const [file] = await inner.downloadFiles([path]);
          if (file?.content === undefined || file.content === null) return inner.multiEdit(...args);
          await copy.uploadFiles([[path, file.content]]);
          const answer = await copy.multiEdit(...args);
          if (answer.error !== undefined) return answer;
          await turn();
          const [made] = await copy.downloadFiles([path]);
          const bytes = made?.content ?? new Uint8Array();
          const [stored] = await inner.uploadFiles([[path, bytes]]);
          return { ...answer, version: stored?.version };
        },
      });
    };
    return [client(), client()];
  };
  return {
    name: "multiEdit/several-without-condition",
    rule: "E7",
    bug: "Several edits are made in a text that was read before, and stored whatever it is by then.",
    by: "peer/several-edits-beside-others",
    create: () => pair()[0],
    pair,
  };
}
