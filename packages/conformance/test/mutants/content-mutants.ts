import { MemoryBackend } from "@fs/protocol";
import { mutant, overlay, type Mutant } from "./mutant.js";

type Method =
  | "copy"
  | "move"
  | "edit"
  | "multiEdit"
  | "delete"
  | "uploadFiles"
  | "downloadFiles"
  | "write"
  | "grep"
  | "glob"
  | "read"
  | "readRaw";
type Call = (...args: unknown[]) => Promise<unknown>;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A method that does something to the files once it has succeeded. */
function thereafter(
  name: string,
  rule: string,
  bug: string,
  method: Method,
  harm: (inner: MemoryBackend, args: unknown[]) => Promise<void>,
): Mutant {
  return {
    name,
    rule,
    bug,
    create: () => {
      const inner = new MemoryBackend();
      const call = (inner[method] as Call).bind(inner);
      return overlay(inner, {
        withoutHooks: undefined,
        [method]: async (...args: unknown[]) => {
          const answer = await call(...args);
          const failed = typeof answer === "object" && answer !== null && "error" in answer;
          if (!failed) await harm(inner, args);
          return answer;
        },
      });
    },
  };
}

async function bytesOf(inner: MemoryBackend, path: string): Promise<Uint8Array> {
  const [item] = await inner.downloadFiles([path]);
  return item?.content ?? new Uint8Array();
}

async function rewrite(
  inner: MemoryBackend,
  below: unknown,
  change: (bytes: Uint8Array, path: string) => Uint8Array | undefined,
): Promise<void> {
  const { files = [] } = await inner.glob("**", String(below));
  for (const { path } of files) {
    const bytes = await bytesOf(inner, path);
    const next = change(bytes, path);
    if (next === undefined) await inner.delete(path);
    else if (next !== bytes) await inner.uploadFiles([[path, next]]);
  }
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0) || decoder.decode(bytes).includes("\ufffd");
}

const relocations = (["move", "copy"] as const).flatMap((method) => [
  thereafter(
    `${method}/drops-binary`,
    "M1",
    `${method} leaves out binary files.`,
    method,
    (inner, [, to]) => rewrite(inner, to, (bytes) => (isBinary(bytes) ? undefined : bytes)),
  ),
  thereafter(
    `${method}/drops-hidden`,
    "M1",
    `${method} leaves out hidden files.`,
    method,
    (inner, [, to]) =>
      rewrite(inner, to, (bytes, path) => (path.includes("/.") ? undefined : bytes)),
  ),
  thereafter(
    `${method}/drops-empty`,
    "M1",
    `${method} leaves out empty files.`,
    method,
    (inner, [, to]) => rewrite(inner, to, (bytes) => (bytes.length === 0 ? undefined : bytes)),
  ),
  thereafter(
    `${method}/line-ends`,
    "M1",
    `${method} turns line ends into \\n.`,
    method,
    (inner, [, to]) =>
      rewrite(inner, to, (bytes) =>
        isBinary(bytes) ? bytes : encoder.encode(decoder.decode(bytes).replaceAll("\r\n", "\n")),
      ),
  ),
  thereafter(
    `${method}/drops-the-mark`,
    "R10",
    `${method} drops a byte order mark.`,
    method,
    (inner, [, to]) =>
      rewrite(inner, to, (bytes) =>
        bytes[0] === 0xef && bytes[1] === 0xbb ? bytes.slice(3) : bytes,
      ),
  ),
  thereafter(
    `${method}/takes-siblings`,
    "P4",
    `${method} takes files whose names begin like its source.`,
    method,
    async (inner, [from, to]) => {
      const { files = [] } = await inner.glob("**", "/");
      for (const { path } of files)
        if (path.startsWith(String(from)) && !path.startsWith(`${String(from)}/`) && path !== from)
          await inner.move(path, String(to) + path.slice(String(from).length));
    },
  ),
]);

const textHarms = (["edit", "multiEdit"] as const).flatMap((method) => [
  thereafter(
    `${method}/normalises-line-ends`,
    "E4",
    `${method} turns all line ends into \\n.`,
    method,
    (inner, [path]) =>
      rewrite(inner, path, (bytes) =>
        encoder.encode(decoder.decode(bytes).replaceAll("\r\n", "\n")),
      ),
  ),
  thereafter(
    `${method}/drops-the-mark`,
    "R10",
    `${method} drops a byte order mark.`,
    method,
    (inner, [path]) =>
      rewrite(inner, path, (bytes) =>
        bytes[0] === 0xef && bytes[1] === 0xbb ? bytes.slice(3) : bytes,
      ),
  ),
  thereafter(
    `${method}/final-newline`,
    "E1",
    `${method} ends the file with a line end.`,
    method,
    (inner, [path]) =>
      rewrite(inner, path, (bytes) =>
        bytes.at(-1) === 10 || bytes.length === 0 ? bytes : Uint8Array.of(...bytes, 10),
      ),
  ),
  thereafter(
    `${method}/cuts-large-files`,
    "A7",
    `${method} keeps the first 65,536 bytes.`,
    method,
    (inner, [path]) => rewrite(inner, path, (bytes) => bytes.slice(0, 65_536)),
  ),
]);

/** Kinds of content that a method forgets. */
export const CONTENT_MUTANTS: readonly Mutant[] = [
  ...relocations,
  ...textHarms,
  thereafter("write/composes-text", "W3", "write normalises its text.", "write", (inner, [path]) =>
    rewrite(inner, path, (bytes) => encoder.encode(decoder.decode(bytes).normalize("NFC"))),
  ),
  mutant("upload/media-as-text", "T1", "An upload of invalid UTF-8 is repaired.", (inner) => ({
    uploadFiles: (files, options) =>
      inner.uploadFiles(
        Array.isArray(files)
          ? files.map(([path, bytes]): [string, Uint8Array] => [
              path,
              bytes instanceof Uint8Array ? encoder.encode(decoder.decode(bytes)) : bytes,
            ])
          : files,
        options,
      ),
  })),
  mutant("download/of-empty-is-missing", "T1", "An empty file cannot be downloaded.", (inner) => ({
    downloadFiles: async (paths, options) =>
      (await inner.downloadFiles(paths, options)).map((item) =>
        item.content?.length === 0
          ? {
              path: item.path,
              content: null,
              error: "file_not_found" as const,
              code: "not_found" as const,
            }
          : item,
      ),
  })),
  mutant("multiEdit/binary-repaired", "E6", "multiEdit of a binary file rewrites it.", (inner) => ({
    multiEdit: async (path, edits, options) => {
      const result = await inner.multiEdit(path, edits, options);
      if (result.code === "not_text")
        await inner.uploadFiles([
          [path, encoder.encode(decoder.decode(await bytesOf(inner, path)))],
        ]);
      return result;
    },
  })),
  mutant("multiEdit/fills-files", "E3", "multiEdit refuses to fill an empty file.", (inner) => ({
    multiEdit: async (path, edits, options) =>
      Array.isArray(edits) && (edits as Array<{ old?: unknown }>)[0]?.old === ""
        ? {
            error: `An argument of the call on '${path}' is not valid.`,
            code: "invalid_argument" as const,
          }
        : inner.multiEdit(path, edits, options),
  })),
  mutant("multiEdit/of-a-directory", "R5", "multiEdit of a directory says not_found.", (inner) => ({
    multiEdit: async (path, edits, options) => {
      const result = await inner.multiEdit(path, edits, options);
      return result.code === "is_directory" ? { ...result, code: "not_found" as const } : result;
    },
  })),
  mutant(
    "multiEdit/counts-edits",
    "E8",
    "multiEdit counts its edits, not occurrences.",
    (inner) => ({
      multiEdit: async (path, edits, options) => {
        const result = await inner.multiEdit(path, edits, options);
        return result.occurrences === undefined ? result : { ...result, occurrences: edits.length };
      },
    }),
  ),
  mutant("copy/over-a-directory", "W2", "copy puts a file where a directory is.", (inner) => ({
    copy: async (from, to, options) => {
      const result = await inner.copy(from, to, options);
      if (result.code !== "is_directory" && result.code !== "already_exists") return result;
      const listed = await inner.ls(to);
      if (listed.error !== undefined) return result;
      await inner.delete(to);
      return inner.copy(from, to, options);
    },
  })),
  mutant(
    "copy/below-a-file",
    "W2",
    "copy replaces the file that its target is below.",
    (inner) => ({
      copy: async (from, to, options) => {
        const result = await inner.copy(from, to, options);
        if (result.code !== "not_directory") return result;
        await inner.delete(to.slice(0, to.indexOf("/", 3)));
        return inner.copy(from, to, options);
      },
    }),
  ),
];
