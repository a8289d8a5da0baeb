import { type MemoryBackend, MemoryVolume } from "@fs/protocol";
import type { PutCondition } from "@fs/protocol/author";
import { faultyVolume, mutant, type Mutant } from "./mutant.js";

const encoder = new TextEncoder();

/** A storage that changes what it is given to keep. */
class ChangingVolume extends MemoryVolume {
  readonly #change: (bytes: Uint8Array) => Uint8Array;

  constructor(change: (bytes: Uint8Array) => Uint8Array) {
    super();
    this.#change = change;
  }

  override async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    return super.put(path, this.#change(bytes), condition);
  }
}

/** Decodes a text part by part, as if each part were whole. */
function decodedInParts(text: string, size: number): string {
  const bytes = encoder.encode(text);
  let decoded = "";
  for (let at = 0; at < bytes.length; at += size)
    decoded += new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(at, at + size));
  return decoded;
}

async function sizeOf(inner: MemoryBackend, path: string): Promise<number> {
  return (await inner.stat(path)).info?.size ?? 0;
}

/** Bounds, buffers and decoders. */
export const BOUND_MUTANTS: readonly Mutant[] = [
  faultyVolume(
    "bound/last-part-lost",
    "T1",
    "What follows the last full buffer is lost.",
    () =>
      new ChangingVolume((bytes) =>
        bytes.length > 65_536 ? bytes.slice(0, bytes.length - (bytes.length % 65_536)) : bytes,
      ),
  ),
  faultyVolume(
    "bound/full-buffer-lost",
    "T1",
    "A file of exactly one buffer is stored empty.",
    () => new ChangingVolume((bytes) => (bytes.length === 65_536 ? new Uint8Array() : bytes)),
  ),
  mutant("bound/read-decodes-parts", "R7", "read decodes 64 KiB at a time.", (inner) => ({
    read: async (...args) => {
      const result = await inner.read(...args);
      return typeof result.content === "string"
        ? { ...result, content: decodedInParts(result.content, 65_536) }
        : result;
    },
  })),
  mutant(
    "bound/raw-judges-the-start",
    "R7",
    "readRaw looks for a NUL in 8,000 bytes.",
    (inner) => ({
      readRaw: async (path, ...rest) => {
        const result = await inner.readRaw(path, ...rest);
        if (result.data === undefined || !path.endsWith(".txt")) return result;
        const { content } = result.data;
        if (!(content instanceof Uint8Array)) return result;
        if (content.subarray(0, 8000).includes(0)) return result;
        return { ...result, data: { ...result.data, content: new TextDecoder().decode(content) } };
      },
    }),
  ),
  mutant("bound/latin-1", "R7", "What is no UTF-8 is read as Latin-1.", (inner) => ({
    read: async (path, ...rest) => {
      const result = await inner.read(path, ...rest);
      const { content } = result;
      return content instanceof Uint8Array && path.endsWith(".txt") && !content.includes(0)
        ? { ...result, content: Buffer.from(content).toString("latin1") }
        : result;
    },
  })),
  mutant("bound/controls-are-binary", "R7", "Control characters make a file binary.", (inner) => ({
    read: async (...args) => {
      const result = await inner.read(...args);
      const { content } = result;
      return typeof content === "string" && content.includes("\u0001")
        ? { content: encoder.encode(content), mimeType: "application/octet-stream" }
        : result;
    },
  })),
  mutant("bound/page-of-256k", "R1", "A page has 256 Ki characters at most.", (inner) => ({
    read: async (...args) => {
      const result = await inner.read(...args);
      return typeof result.content === "string"
        ? { ...result, content: result.content.slice(0, 262_144) }
        : result;
    },
  })),
  mutant("bound/limit-of-2000", "R1", "A limit over 2,000 is 2,000.", (inner) => ({
    read: (path, offset, limit, options) =>
      inner.read(path, offset, typeof limit === "number" && limit > 2000 ? 2000 : limit, options),
  })),
  mutant(
    "bound/grep-of-10000",
    "S1",
    "A search finds 10,000 lines, and says no more.",
    (inner) => ({
      grep: async (...args) => {
        const result = await inner.grep(...args);
        return result.matches === undefined
          ? result
          : { ...result, matches: result.matches.slice(0, 10_000) };
      },
    }),
  ),
  mutant("bound/edit-of-1m", "W6", "A file over 1 MiB cannot be edited.", (inner) => ({
    edit: async (path, ...rest) =>
      (await sizeOf(inner, path)) > 1_048_576
        ? { error: `'${path}' is too large to edit.`, code: "too_large" }
        : inner.edit(path, ...rest),
  })),
  mutant("bound/first-100-edits", "E8", "The edits after a hundred are left out.", (inner) => ({
    multiEdit: (path, edits, options) =>
      inner.multiEdit(path, Array.isArray(edits) ? edits.slice(0, 100) : edits, options),
  })),
  mutant("bound/pattern-of-1000", "G3", "A pattern has 1,000 characters at most.", (inner) => ({
    glob: async (pattern, ...rest) =>
      typeof pattern === "string" && pattern.length > 1000
        ? { error: "The pattern is too long.", code: "invalid_pattern" }
        : inner.glob(pattern, ...rest),
  })),
  mutant("bound/copy-of-64k", "M1", "A copy has 64 KiB.", (inner) => ({
    copy: async (from, to, options) => {
      const result = await inner.copy(from, to, options);
      const [copied] = await inner.downloadFiles([to]);
      if (result.error === undefined && copied?.content)
        await inner.uploadFiles([[to, copied.content.slice(0, 65_536)]]);
      return result;
    },
  })),
  {
    ...mutant(
      "bound/pattern-in-code-points",
      "G3",
      "A pattern has 1,024 code points.",
      (inner) => ({
        glob: async (pattern, ...rest) =>
          typeof pattern === "string" && pattern.length > 1024 && Array.from(pattern).length <= 1024
            ? { files: [] }
            : inner.glob(pattern, ...rest),
      }),
    ),
    by: "glob/limit-in-code-units",
  },
  {
    ...mutant("bound/alternatives-in-code-points", "G3", "Pairs are counted once.", (inner) => ({
      glob: async (pattern, ...rest) => {
        const result = await inner.glob(pattern, ...rest);
        const isShort = typeof pattern === "string" && pattern.length <= 1024;
        return isShort && result.code === "invalid_pattern" && /[\ud800-\udfff]/.test(pattern)
          ? { files: [] }
          : result;
      },
    })),
    by: "glob/limit-in-code-units",
  },
  {
    ...mutant("bound/regex-in-code-points", "S8", "A regex has 4,096 code points.", (inner) => ({
      grep: async (pattern, path, glob, maxCount, options) =>
        options?.regex === true && pattern.length > 4096 && Array.from(pattern).length <= 4096
          ? { matches: [] }
          : inner.grep(pattern, path, glob, maxCount, options),
    })),
    by: "grep/regex-limit-in-code-units",
  },
];
