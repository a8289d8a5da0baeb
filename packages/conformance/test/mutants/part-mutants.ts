import { setImmediate as turn } from "node:timers/promises";
import { MemoryVolume, type BackendProtocolV2, type MemoryBackend } from "@fs/protocol";
import type { VolumeCall, VolumePage } from "@fs/protocol/author";
import { LinePager } from "@fs/protocol/hooks";
import { faultyVolume, mutant, type Mutant, type Overrides } from "./mutant.js";

const BLOCK = 4096;

/** A storage of blocks, from which a page is read block by block, each of what is stored by then. */
class BlockVolume extends MemoryVolume {
  async readPage(
    path: string,
    { offset, limit }: { readonly offset: number; readonly limit: number } & VolumeCall,
  ): Promise<VolumePage | undefined> {
    const pager = new LinePager({ offset, limit });
    for (let at = 0; ; at += BLOCK) {
      await turn();
      const file = await this.get(path);
      if (file === undefined) return undefined;
      pager.feed(file.bytes.subarray(at, at + BLOCK));
      if (at + BLOCK >= file.bytes.length) pager.end();
      if (pager.complete) return { ...pager.result(), version: file.version };
    }
  }
}

function part(view: keyof BackendProtocolV2, bug: string, overrides: Overrides): Mutant {
  return { ...mutant(`part/${view}`, "A7", bug, overrides), by: "conc/no-torn-read" };
}

async function pageOfTwo(
  inner: MemoryBackend,
  ...[path, offset = 0, limit = 500, options]: Parameters<MemoryBackend["read"]>
): ReturnType<MemoryBackend["read"]> {
  const half = Math.ceil(limit / 2);
  const first = await inner.read(path, offset, half, options);
  if (typeof first.content !== "string" || first.nextOffset === undefined || half === limit)
    return first;
  await turn();
  const second = await inner.read(path, offset + half, limit - half, options);
  if (typeof second.content !== "string") return first;
  const content = first.content + second.content;
  return { ...second, content, ...(first.startLine && { startLine: first.startLine }) };
}

/** What is read in several requests, of whatever content is there at each. */
export const PART_MUTANTS: readonly Mutant[] = [
  {
    ...faultyVolume(
      "part/page-of-blocks",
      "A7",
      "A page is read block by block, and the file may be another from block to block.",
      () => new BlockVolume(),
    ),
    by: "conc/no-torn-read",
  },
  part("read", "A page is read as two pages.", (inner) => ({
    read: (...args) => pageOfTwo(inner, ...args),
  })),
  part("readRaw", "A text is put together of a page and what follows it.", (inner) => ({
    readRaw: async (path, options) => {
      const raw = await inner.readRaw(path, options);
      if (raw.data === undefined || typeof raw.data.content !== "string") return raw;
      await turn();
      const again = await inner.readRaw(path, options);
      if (again.data === undefined || typeof again.data.content !== "string") return raw;
      const content = raw.data.content.slice(0, BLOCK) + again.data.content.slice(BLOCK);
      return { ...again, data: { ...again.data, content } };
    },
  })),
  part("downloadFiles", "A file comes in two ranges.", (inner) => ({
    downloadFiles: async (paths, options) => {
      const heads = await inner.downloadFiles(paths, options);
      await turn();
      const tails = await inner.downloadFiles(paths, options);
      return tails.map((tail, n) => {
        const head = heads[n]?.content;
        if (head === undefined || head === null || tail.content === null) return tail;
        const bytes = [...head.slice(0, BLOCK), ...tail.content.slice(BLOCK)];
        return { ...tail, content: new Uint8Array(bytes) };
      });
    },
  })),
  {
    ...mutant(
      "part/two-files",
      "A7",
      "Of several files the versions are read first, and each content for itself, which is gone where the version is another.",
      (inner) => ({
        downloadFiles: async (paths, options) => {
          const versionsOf = (): Promise<Array<string | undefined>> =>
            Promise.all(paths.map(async (path) => (await inner.read(path, 0, 1)).version));
          const versions = await versionsOf();
          await turn();
          const [answers, now] = [await inner.downloadFiles(paths, options), await versionsOf()];
          return answers.map((answer, n) =>
            n === 0 || answer.content === null || now[n] === versions[n]
              ? answer
              : { ...answer, content: new Uint8Array() },
          );
        },
      }),
    ),
    by: "conc/no-torn-read",
  },
  part("grep", "The matches of a file are looked for in two steps.", (inner) => ({
    grep: async (pattern, path, glob, maxCount, options) => {
      if (typeof maxCount !== "number" || maxCount < 2)
        return inner.grep(pattern, path, glob, maxCount, options);
      const half = Math.floor(maxCount / 2);
      const first = await inner.grep(pattern, path, glob, half, options);
      if (first.error !== undefined || first.truncated !== true) return first;
      await turn();
      const all = await inner.grep(pattern, path, glob, maxCount, options);
      if (all.error !== undefined) return all;
      return { ...all, matches: [...first.matches, ...all.matches.slice(half)] };
    },
  })),
];
