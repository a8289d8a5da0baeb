import { gunzipSync } from "node:zlib";
import { MemoryVolume, type GrepOptions, type GrepResult, type MemoryBackend } from "@fs/protocol";
import { expandBraces } from "@fs/protocol/hooks";
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

/** A search some of whose lines are judged by an expression of JavaScript. */
async function searchedBy(
  inner: MemoryBackend,
  matches: (text: string) => boolean,
  path: string | null | undefined,
): Promise<GrepResult> {
  const all = await inner.grep("", path, null, null, { regex: true });
  return all.matches === undefined
    ? all
    : { ...all, matches: all.matches.filter(({ text }) => matches(text)) };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()[\]\\]/g, "\\$&");
}

function isPlain(options: GrepOptions | undefined, name: "ignoreCase" | "regex"): boolean {
  return options?.[name] === true && Object.keys(options).length === 1;
}

/** Names, patterns and contents that are taken for something else. */
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
    ...mutant("search/bar-is-a-choice", "S1", "With ignoreCase | is not escaped.", (inner) => ({
      grep: async (pattern, path, glob, max, options) => {
        if (!isPlain(options, "ignoreCase") || pattern.length === 0)
          return inner.grep(pattern, path, glob, max, options);
        const expression = new RegExp(escaped(pattern.toLowerCase()));
        return searchedBy(inner, (text) => expression.test(text.toLowerCase()), path);
      },
    })),
    by: "grep/ignore-case-is-literal",
  },
  {
    ...mutant("search/spaces-of-unicode", "S8", "The expressions are JavaScript's.", (inner) => ({
      grep: async (pattern, path, glob, max, options) => {
        if (!isPlain(options, "regex")) return inner.grep(pattern, path, glob, max, options);
        const expression = new RegExp(pattern);
        return searchedBy(inner, (text) => expression.test(text), path);
      },
    })),
    by: "grep/regex-ascii-classes",
  },
  {
    ...mutant("search/groups-of-python", "S8", "(?P<name>…) is refused.", (inner) => ({
      grep: async (pattern, ...rest) =>
        pattern.includes("(?P<")
          ? { error: `'${pattern}' cannot be read.`, code: "invalid_pattern" }
          : inner.grep(pattern, ...rest),
    })),
    by: "grep/regex-named-groups",
  },
  {
    ...mutant("search/cap-of-a-thousand", "S7", "A cap over 1000 is 1000.", (inner) => ({
      grep: async (pattern, path, glob, max, options) => {
        if (typeof max !== "number" || max <= 1000)
          return inner.grep(pattern, path, glob, max, options);
        const { truncated: _, ...rest } = await inner.grep(pattern, path, glob, 1000, options);
        return rest;
      },
    })),
    by: "scale/cap-over-a-thousand",
  },
  {
    ...mutant(
      "search/alternatives-apart",
      "S5",
      "Each alternative of a filter is judged for a slash of its own.",
      (inner) => ({
        grep: async (pattern, path, glob, max, options) => {
          const own = await inner.grep(pattern, path, glob, max, options);
          if (glob == null || own.matches === undefined) return own;
          const matches = [...own.matches];
          const expanded = expandBraces(glob);
          if (expanded.problem !== undefined) return own;
          for (const one of expanded.alternatives)
            for (const match of (await inner.grep(pattern, path, one)).matches ?? [])
              if (!matches.some((other) => other.path === match.path)) matches.push(match);
          return { ...own, matches };
        },
      }),
    ),
    by: "grep/filter-brace-with-slash",
  },
  {
    ...mutant("search/bang-excludes", "S5", "A filter with ! leaves files out.", (inner) => ({
      grep: async (pattern, path, glob, ...rest) => {
        if (glob?.startsWith("!") !== true) return inner.grep(pattern, path, glob, ...rest);
        const out = (await inner.grep(pattern, path, glob.slice(1))).matches ?? [];
        const all = await inner.grep(pattern, path);
        const left = all.matches?.filter((match) => !out.some(({ path: at }) => at === match.path));
        return left === undefined ? all : { ...all, matches: left };
      },
    })),
    by: "grep/filter-bang",
  },
  {
    ...mutant("glob/hash-is-a-comment", "G1", "A pattern with # finds nothing.", (inner) => ({
      glob: async (pattern, ...rest) =>
        pattern.startsWith("#") ? { files: [] } : inner.glob(pattern, ...rest),
    })),
    by: "glob/negation-is-literal",
  },
  {
    ...mutant("glob/composes-patterns", "P4", "Patterns are normalised to NFC.", (inner) => ({
      glob: (pattern, ...rest) => inner.glob(pattern.normalize("NFC"), ...rest),
    })),
    by: "glob/own-spelling",
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
