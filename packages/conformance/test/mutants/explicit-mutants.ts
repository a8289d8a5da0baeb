import { setImmediate as turn } from "node:timers/promises";
import { MemoryVolume, type BackendProtocolV2 } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { faultyVolume, mutant, overlay, type Mutant } from "./mutant.js";

/** Two clients of one storage that both have the same bug. */
function twoClients(
  name: string,
  rule: string,
  bug: string,
  overrides: (inner: VolumeBackend) => Partial<BackendProtocolV2>,
): Mutant {
  const pair = (): readonly [BackendProtocolV2, BackendProtocolV2] => {
    const volume = new MemoryVolume();
    const client = (): BackendProtocolV2 => {
      const inner = new VolumeBackend(volume);
      return overlay(inner, overrides(inner));
    };
    return [client(), client()];
  };
  return { name: `overlap/${name}`, rule, bug, create: () => pair()[0], pair };
}

/** Options that are spelled out, texts that resemble something, and calls that meet halfway. */
export const EXPLICIT_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "option/marker-encoded",
      "A1",
      "The marker of a page is made an address.",
      (inner) => ({
        ls: async (path, options) => {
          encodeURIComponent(options?.after ?? "");
          return inner.ls(path, options);
        },
      }),
    ),
    by: "guard/odd-texts",
  },
  {
    ...mutant("option/version-decoded", "A1", "A version is read from an address.", (inner) => ({
      edit: async (path, old, text, all, options) => {
        if (typeof options?.ifVersion === "string") decodeURIComponent(options.ifVersion);
        return inner.edit(path, old, text, all, options);
      },
    })),
    by: "guard/odd-texts",
  },
  mutant("option/absent-false-replaces", "T3", "`ifAbsent: false` asks for a file.", (inner) => ({
    uploadFiles: async (files, options) => {
      const answers = await inner.uploadFiles([], options);
      for (const file of files as ReadonlyArray<
        readonly [string, Uint8Array, { ifAbsent?: boolean }?]
      >) {
        const asksForOne = file[2]?.ifAbsent === false;
        const missing = asksForOne && (await inner.stat(file[0])).code === "not_found";
        const [answer] = missing
          ? [{ path: file[0], error: "file_not_found", code: "conflict" } as const]
          : await inner.uploadFiles([file as never], options);
        if (answer !== undefined) answers.push(answer);
      }
      return answers;
    },
  })),
  mutant("read/sniffs-formats", "R7", "A text that begins as a format is bytes.", (inner) => ({
    read: async (path, ...rest) => {
      const page = await inner.read(path, ...rest);
      return typeof page.content === "string" && /^(?:BM|MZ|ID3|%PDF)/.test(page.content)
        ? { content: new TextEncoder().encode(page.content), mimeType: "application/octet-stream" }
        : page;
    },
  })),
  mutant(
    "grep/parses-its-output",
    "S1",
    "A line that looks like an answer is parsed again.",
    (inner) => ({
      grep: async (...args) => {
        const found = await inner.grep(...args);
        if (found.matches === undefined) return found;
        const matches = found.matches.map((match) => {
          const [, line, text] = /^.*:(\d+):(.*)$/.exec(match.text) ?? [];
          return line === undefined ? match : { ...match, line: Number(line), text: text ?? "" };
        });
        return { ...found, matches };
      },
    }),
  ),
  mutant(
    "grep/looks-for-what-may-be-missing",
    "S8",
    "Files without a literal of the expression are left out.",
    (inner) => ({
      grep: async (pattern, path, glob, maxCount, options) => {
        const found = await inner.grep(pattern, path, glob, maxCount, options);
        const literal = options?.regex === true ? /^\w{3,}(?=\{0)/.exec(pattern)?.[0] : undefined;
        if (literal === undefined || found.matches === undefined) return found;
        return { ...found, matches: found.matches.filter(({ text }) => text.includes(literal)) };
      },
    }),
  ),
  mutant(
    "ls/nothing-after-the-last",
    "L5",
    "A page behind the last entry is no directory.",
    (inner) => ({
      ls: async (path, options) => {
        const listed = await inner.ls(path, options);
        const isBehind = listed.files?.length === 0 && options?.after !== undefined;
        return isBehind && options.limit !== 0
          ? { error: `'${path ?? "/"}' does not exist.`, code: "not_found" }
          : listed;
      },
    }),
  ),
  mutant(
    "delete/part-gone-unsaid",
    "A7",
    "A removal that is aborted does not say that a part is gone.",
    (inner) => ({
      delete: async (path, options) => {
        const signal = options?.signal;
        const isPlain = signal instanceof AbortSignal && options?.ifVersion === undefined;
        const { files = [] } = isPlain && !signal.aborted ? await inner.glob("**", path) : {};
        if (files.length < 2) return inner.delete(path, options);
        for (const file of files) {
          if (signal?.aborted === true) return { error: "The call was aborted.", code: "aborted" };
          await inner.delete(file.path);
          await turn();
        }
        return { path };
      },
    }),
  ),
  faultyVolume(
    "delete/directory-of-a-moved-one",
    "D2",
    "What was moved keeps the directory above it listed.",
    () => {
      const volume = new MemoryVolume();
      const moved = new Set<string>();
      const { list } = volume;
      Object.assign(volume, {
        moveTree: async (from: string, to: string) => {
          let files = 0;
          for await (const entry of list.call(volume, from, { deep: true })) {
            const file = await volume.get(entry.path);
            if (file === undefined) continue;
            await volume.put(to + entry.path.slice(from.length), file.bytes, {});
            await volume.remove(entry.path, {});
            files++;
          }
          if (files > 0) moved.add(to.slice(0, to.lastIndexOf("/")));
          return files === 0 ? undefined : files;
        },
        list: (directory: string, query: Parameters<MemoryVolume["list"]>[1]) =>
          (async function* () {
            const seen = new Set<string>();
            for await (const entry of list.call(volume, directory, query)) {
              seen.add(entry.path);
              yield entry;
            }
            for (const path of moved)
              if (
                !query.deep &&
                path !== "" &&
                !seen.has(path) &&
                path.lastIndexOf("/") === 0 &&
                directory === "/"
              )
                yield { path, kind: "directory" as const };
          })(),
      });
      return volume;
    },
  ),
  twoClients(
    "condition-of-the-first-round",
    "W5",
    "An edit at a version compares it before its first round only.",
    (inner) => ({
      edit: async (path, old, to, all, options) => {
        const ifVersion = options?.ifVersion;
        if (typeof ifVersion !== "string") return inner.edit(path, old, to, all, options);
        const { version } = await inner.read(path);
        if (version !== ifVersion) return inner.edit(path, old, to, all, options);
        await turn();
        return inner.edit(path, old, to, all);
      },
    }),
  ),
  twoClients(
    "foresees-the-conflict",
    "W5",
    "A client refuses a version that is not the one it saw last.",
    (inner) => {
      const seen = new Map<string, string | undefined>();
      return {
        read: async (path, ...rest) => {
          const page = await inner.read(path, ...rest);
          seen.set(path, page.version);
          return page;
        },
        write: async (path, content, options) => {
          const known = seen.get(path);
          const asked = options?.ifVersion;
          if (known !== undefined && typeof asked === "string" && asked !== known)
            return { error: `'${path}' has changed.`, code: "conflict" };
          const stored = await inner.write(path, content, options);
          if (stored.error === undefined) seen.set(path, stored.version);
          return stored;
        },
      };
    },
  ),
];
