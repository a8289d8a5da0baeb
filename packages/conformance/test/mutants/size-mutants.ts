import type { FileInfo } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

/** Bounds that a method has though it says nothing of one. */
export const SIZE_MUTANTS: readonly Mutant[] = [
  mutant("large/grep-clips-lines", "S1", "grep cuts lines at 65,536 characters.", (inner) => ({
    grep: async (...args) => {
      const result = await inner.grep(...args);
      return result.matches === undefined
        ? result
        : {
            ...result,
            matches: result.matches.map((match) => ({
              ...match,
              text: match.text.slice(0, 65_536),
            })),
          };
    },
  })),
  mutant(
    "large/grep-skips-late-lines",
    "S1",
    "grep searches the first 500 lines of a file.",
    (inner) => ({
      grep: async (...args) => {
        const result = await inner.grep(...args);
        return result.matches === undefined
          ? result
          : { ...result, matches: result.matches.filter(({ line }) => line <= 500) };
      },
    }),
  ),
  mutant("large/replace-all-of-100", "E1", "replaceAll replaces 100 occurrences.", (inner) => ({
    edit: async (path, old, to, all, options) => {
      const result = await inner.edit(path, old, to, all, options);
      return (result.occurrences ?? 0) > 100 ? { ...result, occurrences: 100 } : result;
    },
  })),
  mutant("large/ls-of-25", "L1", "ls lists 25 entries.", (inner) => ({
    ls: async (...args) => {
      const result = await inner.ls(...args);
      return result.files === undefined ? result : { ...result, files: result.files.slice(0, 25) };
    },
  })),
  mutant(
    "large/glob-of-100",
    "G1",
    "glob finds 100 files, and does not say that there are more.",
    (inner) => ({
      glob: async (...args) => {
        const result = await inner.glob(...args);
        return result.files === undefined
          ? result
          : { ...result, files: result.files.slice(0, 100) };
      },
    }),
  ),
  mutant(
    "large/upload-of-500",
    "T1",
    "A batch stores 500 files and acknowledges all.",
    (inner) => ({
      uploadFiles: async (files, options) => {
        if (!Array.isArray(files) || files.length <= 500) return inner.uploadFiles(files, options);
        const stored = await inner.uploadFiles(files.slice(0, 500), options);
        return [...stored, ...files.slice(500).map(([path]) => ({ path, error: null }))];
      },
    }),
  ),
  mutant("large/download-of-500", "T1", "A batch fetches 500 files.", (inner) => ({
    downloadFiles: async (paths, options) => {
      const fetched = await inner.downloadFiles(paths, options);
      return fetched.map((item, index) =>
        index < 500
          ? item
          : {
              path: item.path,
              content: null,
              error: "file_not_found" as const,
              code: "not_found" as const,
            },
      );
    },
  })),
  mutant("large/move-of-20", "M1", "move takes 20 files of a directory.", (inner) => ({
    move: async (from, to, options) => {
      const { files = [] } = await inner.glob("**", from);
      const late = files.slice(20);
      const kept = await inner.downloadFiles(late.map(({ path }) => path));
      const result = await inner.move(from, to, options);
      if (result.error === undefined && late.length > 0) {
        for (const { path } of late) await inner.delete(to + path.slice(from.length));
        await inner.uploadFiles(
          kept.map(({ path, content }) => [path, content ?? new Uint8Array()]),
        );
      }
      return result;
    },
  })),
  mutant("large/copy-of-20", "M1", "copy takes 20 files of a directory.", (inner) => ({
    copy: async (from, to, options) => {
      const result = await inner.copy(from, to, options);
      if (result.error !== undefined) return result;
      const { files = [] } = await inner.glob("**", to);
      for (const { path } of files.slice(20)) await inner.delete(path);
      return result;
    },
  })),
  mutant("large/delete-of-20", "D1", "delete removes 20 files of a directory.", (inner) => ({
    delete: async (path, options) => {
      const { files = [] } = await inner.glob("**", path);
      const late = files.slice(20);
      const kept = await inner.downloadFiles(late.map((file) => file.path));
      const result = await inner.delete(path, options);
      if (result.error === undefined && late.length > 0)
        await inner.uploadFiles(kept.map((item) => [item.path, item.content ?? new Uint8Array()]));
      return result;
    },
  })),
  mutant("large/depth-of-64", "W2", "glob does not look below 64 directories.", (inner) => ({
    glob: async (...args) => {
      const result = await inner.glob(...args);
      return result.files === undefined
        ? result
        : { ...result, files: result.files.filter(({ path }) => path.split("/").length <= 64) };
    },
  })),
  mutant("page/says-end-early", "R2", "nextOffset is absent when one line is left.", (inner) => ({
    read: async (...args) => {
      const result = await inner.read(...args);
      if (
        result.nextOffset === undefined ||
        result.totalLines === undefined ||
        result.totalLines - result.nextOffset > 1
      )
        return result;
      const { nextOffset: _, ...rest } = result;
      return rest;
    },
  })),
  mutant("page/never-ends", "R2", "nextOffset is there at the end.", (inner) => ({
    read: async (...args) => {
      const result = await inner.read(...args);
      return typeof result.content === "string" && result.endLine !== undefined
        ? { ...result, nextOffset: result.endLine }
        : result;
    },
  })),
  mutant("page/total-of-the-page", "R2", "totalLines counts the page.", (inner) => ({
    read: async (...args) => {
      const result = await inner.read(...args);
      return result.totalLines === undefined
        ? result
        : { ...result, totalLines: String(result.content).split("\n").length - 1 };
    },
  })),
  mutant("listing/size-in-characters", "L2", "ls gives characters for bytes.", (inner) => ({
    ls: async (...args) => {
      const result = await inner.ls(...args);
      if (result.files === undefined) return result;
      const files: FileInfo[] = [];
      for (const info of result.files) {
        const { data } =
          info.is_dir === true ? { data: undefined } : await inner.readRaw(info.path);
        files.push(data === undefined ? info : { ...info, size: data.content.length });
      }
      return { ...result, files };
    },
  })),
  mutant(
    "listing/glob-sizes-of-the-first",
    "L2",
    "glob gives every file the size of the first.",
    (inner) => ({
      glob: async (...args) => {
        const result = await inner.glob(...args);
        const size = result.files?.[0]?.size;
        return size === undefined || result.files === undefined
          ? result
          : { ...result, files: result.files.map((info) => ({ ...info, size })) };
      },
    }),
  ),
  mutant(
    "listing/times-of-creation",
    "W7",
    "ls gives the time of creation for that of the last change.",
    (inner) => ({
      ls: async (...args) => {
        const result = await inner.ls(...args);
        if (result.files === undefined) return result;
        const files: FileInfo[] = [];
        for (const info of result.files) {
          const { data } =
            info.is_dir === true ? { data: undefined } : await inner.readRaw(info.path);
          files.push(data === undefined ? info : { ...info, modified_at: data.created_at });
        }
        return { ...result, files };
      },
    }),
  ),
];
