import { gunzipSync } from "node:zlib";
import { MemoryVolume, type MemoryBackend } from "@fs/protocol";
import type { PutCondition } from "@fs/protocol/author";
import { faultyVolume, mutant, type Mutant } from "./mutant.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();
const BELOW_ROOT = /^[/.]+$/;

/** A storage that keeps what it makes of the bytes. */
function keeping(
  name: string,
  rule: string,
  bug: string,
  by: string,
  made: typeof sameBytes,
): Mutant {
  class Making extends MemoryVolume {
    override async put(
      path: string,
      bytes: Uint8Array,
      condition: PutCondition,
    ): Promise<{ version: string }> {
      return super.put(path, made(bytes), condition);
    }
  }
  return { ...faultyVolume(name, rule, bug, () => new Making()), by };
}

function sameBytes(bytes: Uint8Array): Uint8Array {
  return bytes;
}

function readAsJson(bytes: Uint8Array): Uint8Array {
  try {
    return encoder.encode(JSON.stringify(JSON.parse(decoder.decode(bytes))));
  } catch (error) {
    if (error instanceof SyntaxError) return bytes;
    throw error;
  }
}

function decoded(bytes: Uint8Array): Uint8Array {
  const text = decoder.decode(bytes);
  return text.startsWith("base64:") ? new Uint8Array(Buffer.from(text.slice(7), "base64")) : bytes;
}

function unzipped(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? new Uint8Array(gunzipSync(bytes)) : bytes;
}

/** A directory that is copied by replacing its name in each path. */
async function copyByReplace(inner: MemoryBackend, from: string, to: string): Promise<boolean> {
  const { info } = await inner.stat(from);
  if (info?.is_dir !== true || (await inner.stat(to)).error === undefined) return false;
  const { files = [] } = await inner.glob("**", from);
  for (const { path } of files) await inner.copy(path, path.replace(from, to));
  return true;
}

/** Names and contents that are taken for something else. */
export const MISREADING_MUTANTS: readonly Mutant[] = [
  {
    ...mutant("delete/root-in-other-words", "D1", "Only '/' is the root.", (inner) => ({
      delete: async (path, options) => {
        if (path === "/" || !BELOW_ROOT.test(path)) return inner.delete(path, options);
        for (const file of (await inner.ls("/")).files ?? []) await inner.delete(file.path);
        return { path: "/" };
      },
    })),
    by: "delete/root",
  },
  {
    ...mutant("copy/clears-the-way", "M2", "What is in the way goes first.", (inner) => ({
      copy: async (from, to, options) => {
        if (options?.overwrite === true) await inner.delete(to);
        return inner.copy(from, to, options);
      },
    })),
    by: "copy/missing",
  },
  {
    ...mutant("copy/replaces-the-name", "M1", "replace() makes the new paths.", (inner) => ({
      copy: async (from, to, options) =>
        (await copyByReplace(inner, from, to)) ? { path: to } : inner.copy(from, to, options),
    })),
    by: "copy/directory-of-dollars",
  },
  {
    ...mutant("move/replaces-the-name", "M1", "replace() makes the new paths.", (inner) => ({
      move: async (from, to, options) => {
        if (!(await copyByReplace(inner, from, to))) return inner.move(from, to, options);
        await inner.delete(from);
        return { path: to };
      },
    })),
    by: "move/directory-of-dollars",
  },
  {
    ...mutant("copy/over-stops-halfway", "M2", "What was copied before stays.", (inner) => ({
      copy: async (from, to, options) => {
        if ((await inner.stat(from)).info?.is_dir !== true || options?.overwrite !== true)
          return inner.copy(from, to, options);
        for (const { path } of (await inner.glob("**", from)).files ?? []) {
          const copied = await inner.copy(path, `${to}${path.slice(from.length)}`, options);
          if (copied.error !== undefined) return copied;
        }
        return { path: to };
      },
    })),
    by: "copy/over-parts-refused",
  },
  {
    ...mutant("read/name-is-an-extension", "R7", "A name without a dot counts.", (inner) => ({
      read: async (path, ...rest) => {
        const result = await inner.read(path, ...rest);
        return typeof result.content === "string" && /\/(?:png|pdf|mp4)$/.test(path)
          ? { content: encoder.encode(result.content), mimeType: "image/png" }
          : result;
      },
    })),
    by: "read/text-by-content",
  },
  {
    ...mutant("read/any-extension-counts", "R7", "a.png.txt is an image.", (inner) => ({
      read: async (path, ...rest) => {
        const result = await inner.read(path, ...rest);
        return typeof result.content === "string" && /\.png\.[^/]*$/.test(path)
          ? { content: encoder.encode(result.content), mimeType: "image/png" }
          : result;
      },
    })),
    by: "read/text-by-content",
  },
  {
    ...mutant("edit/closest-of-the-head", "E5", "Only 100 lines are compared.", (inner) => ({
      edit: async (...args) => {
        const result = await inner.edit(...args);
        return result.code === "no_match" && /\n\d{3,}:/.test(result.error)
          ? { ...result, error: "It was not found. No line resembles it." }
          : result;
      },
    })),
    by: "edit/no-match-hint",
  },
  keeping("write/json-anew", "W3", "JSON is written anew.", "write/made-anew", readAsJson),
  keeping("write/prefix-decodes", "W3", "base64: is decoded.", "write/made-anew", decoded),
  keeping("upload/unzips", "T1", "What is zipped is unzipped.", "transfer/compressed", unzipped),
];
