import type { FileInfo, FileStat } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

type Call = (...args: unknown[]) => Promise<unknown>;

function without(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, field));
  if (typeof value !== "object" || value === null) return value;
  const { [field]: _, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** A method whose answers lack a version, though the features name versions. */
function unversioned(
  method: "read" | "readRaw" | "write" | "edit" | "multiEdit" | "uploadFiles" | "downloadFiles",
): Mutant {
  const rule =
    method === "read" || method === "readRaw" || method === "downloadFiles" ? "F2" : "F3";
  return mutant(`answer/${method}-unversioned`, rule, `${method} gives no version.`, (inner) => {
    const call = inner[method].bind(inner) as Call;
    return { [method]: async (...args: unknown[]) => without(await call(...args), "version") };
  });
}

function described(
  name: string,
  rule: string,
  bug: string,
  change: (info: FileStat) => FileStat,
): Mutant {
  return mutant(`answer/stat-${name}`, rule, bug, (inner) => ({
    stat: async (...args) => {
      const result = await inner.stat(...args);
      return result.info === undefined ? result : { ...result, info: change(result.info) };
    },
  }));
}

function listed(
  name: string,
  rule: string,
  bug: string,
  change: (files: FileInfo[]) => FileInfo[],
): Mutant {
  return mutant(`answer/${name}`, rule, bug, (inner) => ({
    glob: async (...args) => {
      const result = await inner.glob(...args);
      return result.files === undefined ? result : { ...result, files: change(result.files) };
    },
  }));
}

/** Answers that lack something, or say it wrongly. */
export const ANSWER_MUTANTS: readonly Mutant[] = [
  ...(
    ["read", "readRaw", "write", "edit", "multiEdit", "uploadFiles", "downloadFiles"] as const
  ).map(unversioned),
  described("directory-without-slash", "F1", "A directory's path has no slash.", (info) =>
    info.is_dir === true ? { ...info, path: info.path.replace(/(.)\/$/, "$1") } : info,
  ),
  described("type-missing", "F1", "A media file has no type.", (info) => {
    const { mimeType: _, ...rest } = info;
    return rest;
  }),
  described("times-made-up", "L2", "The time of creation is that of the call.", (info) =>
    info.is_dir === true ? info : { ...info, created_at: new Date().toISOString() },
  ),
  listed("glob-without-empty-sizes", "L2", "An empty file has no size.", (files) =>
    files.map((info) => (info.size === 0 ? (without(info, "size") as FileInfo) : info)),
  ),
  listed("glob-by-bytes", "L3", "glob sorts by bytes of UTF-8.", (files) =>
    files.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))),
  ),
  mutant("answer/sizes-in-characters", "F3", "write answers characters for bytes.", (inner) => ({
    write: async (path, content, options) => {
      const result = await inner.write(path, content, options);
      return result.size === undefined ? result : { ...result, size: content.length };
    },
  })),
  mutant(
    "answer/batch-mixed-up",
    "F3",
    "The versions of a batch are its neighbours'.",
    (inner) => ({
      uploadFiles: async (files, options) => {
        const stored = await inner.uploadFiles(files, options);
        return stored.map((item, n) => ({ ...item, version: stored.at(n - 1)?.version ?? "0" }));
      },
    }),
  ),
  mutant(
    "answer/page-next-at-the-end",
    "L5",
    "The last page says where a next begins.",
    (inner) => ({
      ls: async (path, options) => {
        const result = await inner.ls(path, options);
        const last = result.files?.at(-1)?.path;
        return options?.limit === undefined || last === undefined
          ? result
          : { ...result, nextAfter: last };
      },
    }),
  ),
  mutant("answer/after-must-be-there", "L5", "A page after what is gone begins anew.", (inner) => ({
    ls: async (path, options) => {
      const { files = [] } = await inner.ls(path);
      const isThere = files.some((entry) => entry.path === options?.after);
      return isThere || options?.after === undefined || files.length === 0
        ? inner.ls(path, options)
        : inner.ls(path, { ...options, after: "" });
    },
  })),
  mutant("answer/after-needs-a-limit", "L5", "Without a limit 'after' is ignored.", (inner) => ({
    glob: (pattern, path, options) =>
      inner.glob(pattern, path, options?.limit === undefined ? {} : options),
  })),
  mutant(
    "answer/reason-decides",
    "A8",
    "A signal that fired for a reason of its own is ignored.",
    (inner) => ({
      ls: (path, options) =>
        options?.signal?.aborted === true && (options.signal.reason as Error)?.name !== "AbortError"
          ? inner.ls(path)
          : inner.ls(path, options),
    }),
  ),
];
