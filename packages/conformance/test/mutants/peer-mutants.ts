import { setImmediate as turn } from "node:timers/promises";
import { failure } from "@fs/protocol";
import { mutant, shared, type Mutant } from "./mutant.js";

/** What one client keeps from the other, or takes for still so. */
export const PEER_MUTANTS: readonly Mutant[] = [
  shared(
    "lease-kept-after-refusal",
    "A7",
    "A refused edit keeps its lease of the path, which only its own client passes.",
    () => new Map<string, object>(),
    (inner, leases, client) => ({
      edit: async (path, ...rest) => {
        const holder = leases.get(path);
        if (holder !== undefined && holder !== client)
          return { error: `'${path}' is being changed.`, code: "conflict" };
        const answer = await inner.edit(path, ...rest);
        if (answer.code === "no_match" || answer.code === "not_unique") leases.set(path, client);
        else leases.delete(path);
        return answer;
      },
    }),
  ),
  {
    ...shared(
      "begins-from-a-plain-object",
      "P3",
      "A client that begins after forty changes begins from a plain object, in which no file named as the prototype is.",
      () => ({ changes: 0 }),
      (inner, state) => {
        let lost: Set<string> | undefined;
        const begin = async (): Promise<Set<string>> => {
          if (lost !== undefined) return lost;
          const { files = [] } = state.changes < 40 ? {} : await inner.glob("**");
          const named = files.filter(({ path }) => path.split("/").includes("__proto__"));
          return (lost = new Set(named.map(({ path }) => path)));
        };
        const counted =
          <A extends unknown[], R>(change: (...args: A) => Promise<R>) =>
          async (...args: A): Promise<R> => {
            await begin();
            state.changes++;
            return change(...args);
          };
        return {
          write: counted(inner.write.bind(inner)),
          edit: counted(inner.edit.bind(inner)),
          read: async (path, ...rest) =>
            (await begin()).has(path) ? failure("not_found", path) : inner.read(path, ...rest),
        };
      },
    ),
    by: "peer/begins-late",
  },
  shared(
    "pages-of-the-first-load",
    "R1",
    "Later pages are cut from the file as the first page loaded it.",
    () => undefined,
    (inner) => {
      const loaded = new Map<string, string>();
      return {
        read: async (path, offset = 0, limit = 500, ...rest) => {
          const page = await inner.read(path, offset, limit, ...rest);
          if (typeof page.content !== "string") return page;
          const text = loaded.get(path);
          if (offset > 0 && text !== undefined) {
            const lines = text.split(/(?<=\n)/);
            return { ...page, content: lines.slice(offset, offset + limit).join("") };
          }
          const { data } = await inner.readRaw(path);
          loaded.set(path, String(data?.content));
          return page;
        },
      };
    },
  ),
  shared(
    "directories-made-sure-of",
    "W2",
    "A client that once made a directory stores in it, whatever it is by now.",
    () => new Map<string, string>(),
    (inner, strays) => {
      const made = new Set<string>();
      return {
        write: async (path, content, ...rest) => {
          const answer = await inner.write(path, content, ...rest);
          const parent = path.slice(0, path.lastIndexOf("/"));
          if (answer.error === undefined) made.add(parent);
          if (answer.code !== "not_directory" || !made.has(parent)) return answer;
          strays.set(path, content);
          return { path };
        },
      };
    },
  ),
  shared(
    "names-of-a-directory",
    "A7",
    "The names of a directory are read, changed and stored without a condition.",
    () => new Map<string, Set<string>>(),
    (inner, lost) => {
      const busy = new Map<string, number>();
      return {
        write: async (path, ...rest) => {
          const parent = path.slice(0, path.lastIndexOf("/"));
          const before = (await inner.ls(parent)).files?.length;
          const answer = await inner.write(path, ...rest);
          busy.set(parent, (busy.get(parent) ?? 0) + 1);
          for (let n = 0; n < 3; n++) await turn();
          const after = (await inner.ls(parent)).files?.length;
          const others = (after ?? 0) - (before ?? 0) - (busy.get(parent) ?? 0);
          if (answer.error === undefined && others > 0)
            lost.set(parent, (lost.get(parent) ?? new Set()).add(path));
          busy.delete(parent);
          return answer;
        },
        ls: async (path, ...rest) => {
          const listed = await inner.ls(path, ...rest);
          const names = lost.get(path);
          return names === undefined || listed.files === undefined
            ? listed
            : { ...listed, files: listed.files.filter((file) => !names.has(file.path)) };
        },
      };
    },
  ),
  {
    ...mutant(
      "copy/left-where-it-was-aborted",
      "M2",
      "A copy of a directory that is aborted between two files leaves what it has copied.",
      (inner) => ({
        copy: async (from, to, options) => {
          const { signal, ...others } = options ?? {};
          const { files = [] } = await inner.glob("**", from);
          const isPlain = signal instanceof AbortSignal && Object.keys(others).length === 0;
          if (!isPlain || signal.aborted || files.length < 2) return inner.copy(from, to, options);
          if ((await inner.stat(to)).code !== "not_found") return inner.copy(from, to, options);
          for (const { path } of files) {
            if (signal.aborted) return { error: `Copying '${from}' was aborted.`, code: "aborted" };
            await inner.copy(path, `${to}${path.slice(from.length)}`);
            await new Promise((resolve) => void setTimeout(resolve, 2));
          }
          return { path: to, files: files.length };
        },
      }),
    ),
    by: "copy/aborted-midway",
  },
];
