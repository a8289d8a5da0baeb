import { setImmediate as turn } from "node:timers/promises";
import { MemoryVolume } from "@fs/protocol";
import type { PutCondition } from "@fs/protocol/author";
import { faultyVolume, mutant, shared, type Mutant } from "./mutant.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes of a part. */
const PART = 65_536;

/** A volume that puts the parts of a content over those of the old one, and reads as many as its size says. */
class PartsInPlace extends MemoryVolume {
  readonly #parts = new Map<string, Uint8Array>();

  override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
    for (let at = 0; bytes.length > PART && at < bytes.length; at += PART) {
      await turn();
      await turn();
      this.#parts.set(`${path}#${at}`, bytes.slice(at, at + PART));
    }
    return super.put(path, bytes, condition);
  }

  override async get(path: string) {
    const file = await super.get(path);
    if (file === undefined || file.bytes.length <= PART) return file;
    const bytes = new Uint8Array(file.bytes);
    for (let at = 0; at < bytes.length; at += PART) {
      await turn();
      bytes.set(this.#parts.get(`${path}#${at}`)?.subarray(0, bytes.length - at) ?? [], at);
    }
    return { ...file, bytes };
  }
}

/** Contents that are kept in parts, shared, or known by a part of them. */
export const LARGE_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "copy/shares-blocks",
      "A7",
      "A change of equal length is made in the blocks that a copy shares with its original.",
      (inner) => {
        const originals = new Map<string, string>();
        return {
          copy: async (from, to, options) => {
            originals.set(to, from);
            return inner.copy(from, to, options);
          },
          edit: async (path, old, to, ...rest) => {
            const answer = await inner.edit(path, old, to, ...rest);
            const original = originals.get(path);
            if (original !== undefined && (answer.size ?? 0) > 4096 && old.length === to.length)
              await inner.edit(original, old, to, ...rest);
            return answer;
          },
        };
      },
    ),
    by: "copy/large-stay-apart",
  },
  {
    ...mutant(
      "version/of-samples",
      "F2",
      "The version of a large file is that of its length, its beginning and its end.",
      (inner) => {
        const shown = new Map<string | undefined, string | undefined>();
        const versionOf = (version: string | undefined): string | undefined =>
          shown.get(version) ?? version;
        return {
          read: async (path, ...rest) => {
            const page = await inner.read(path, ...rest);
            const version = versionOf(page.version);
            return page.error !== undefined || version === undefined ? page : { ...page, version };
          },
          edit: async (path, old, to, all, options) => {
            const { version } = await inner.read(path, 0, 1);
            const current =
              options?.ifVersion !== undefined && options.ifVersion === versionOf(version);
            const condition = current && version !== undefined ? { ifVersion: version } : options;
            const answer = await inner.edit(path, old, to, all, condition);
            if (old.length === to.length && (answer.size ?? 0) > 100_000)
              shown.set(answer.version, versionOf(version));
            return answer;
          },
        };
      },
    ),
    by: "version/of-large-contents",
  },
  {
    ...shared(
      "large-creates-in-parts",
      "W4",
      "A large content is sent in parts, and whether the file is there is asked before the first.",
      () => undefined,
      (inner) => ({
        write: async (path, content, options) => {
          if (content.length <= 65_536) return inner.write(path, content, options);
          const { error } = await inner.stat(path);
          if (error === undefined) return inner.write(path, content, options);
          for (let sent = 0; sent < content.length; sent += 65_536) await turn();
          const [stored] = await inner.uploadFiles([[path, encoder.encode(content)]]);
          return stored?.error === null ? { path } : inner.write(path, content, options);
        },
      }),
    ),
    by: "peer/large-creates",
  },
  {
    ...shared(
      "large-edits-in-parts",
      "E7",
      "A large content is sent in parts, and its version is compared before the first.",
      () => undefined,
      (inner) => ({
        edit: async (path, old, to, all, options) => {
          const [file] = await inner.downloadFiles([path]);
          const text = decoder.decode(file?.content ?? new Uint8Array());
          if (text.length <= 65_536 || !text.includes(old))
            return inner.edit(path, old, to, all, options);
          await turn();
          await inner.uploadFiles([[path, encoder.encode(text.replace(old, () => to))]]);
          return { path, occurrences: 1 };
        },
      }),
    ),
    by: "peer/large-edits",
  },
  {
    ...mutant("grep/lines-of-two-bytes", "S1", "Numbers of lines end at 65,535.", (inner) => ({
      grep: async (...args) => {
        const answer = await inner.grep(...args);
        const matches = answer.matches?.map((match) => ({
          ...match,
          line: Math.min(match.line, 65_535),
        }));
        return matches === undefined ? answer : { ...answer, matches };
      },
    })),
    by: "scale/large-edit",
  },
  {
    ...mutant(
      "read/line-index-outlives-edits",
      "R1",
      "Where every line of a page far down begins is kept from the first read, and not from the last edit.",
      (inner) => {
        const starts = new Map<string, number[]>();
        return {
          read: async (path, offset = 0, limit = 500, options) => {
            const page = await inner.read(path, offset, limit, options);
            const text = (await inner.readRaw(path)).data?.content;
            if (offset < 256 || typeof page.content !== "string" || typeof text !== "string")
              return page;
            const known = starts.get(path) ?? [
              0,
              ...[...text.matchAll(/\n/g)].map((end) => end.index + 1),
            ];
            starts.set(path, known);
            return { ...page, content: text.slice(known[offset], known[offset + limit]) };
          },
        };
      },
    ),
    by: "read/pages-after-edits",
  },
  {
    ...mutant(
      "move/more-than-a-pool-holds",
      "A1",
      "Of more than ten moves at once none gets its second connection.",
      (inner) => {
        let underWay = 0;
        return {
          move: async (...args) => {
            underWay++;
            await turn();
            const answer =
              underWay > 10
                ? { error: "No connection is free.", code: "unavailable" as const }
                : await inner.move(...args);
            await turn();
            underWay--;
            return answer;
          },
        };
      },
    ),
    by: "guard/many-at-once",
  },
  {
    ...faultyVolume(
      "large/parts-in-place",
      "A7",
      "The parts of a large content are put over those of the old one before its size is.",
      () => new PartsInPlace(),
    ),
    by: "conc/no-torn-read",
  },
  {
    ...mutant(
      "read/large-files-by-readline",
      "R2",
      "A large file is read by a reader of lines, for which a lone carriage return ends one as well.",
      (inner) => ({
        read: async (path, offset = 0, limit = 500, options) => {
          const page = await inner.read(path, offset, limit, options);
          const text = (await inner.readRaw(path)).data?.content;
          if (page.error !== undefined || typeof text !== "string" || text.length < PART)
            return page;
          const lines = text.match(/[^\r\n]*(?:\r?\n|\r|$)/g) ?? [];
          return { ...page, content: lines.slice(offset, offset + limit).join("") };
        },
      }),
    ),
    by: "scale/odd-lines",
  },
];
