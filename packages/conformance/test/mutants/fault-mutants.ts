import { VolumeError } from "@fs/protocol/author";
import { wrongAbove, wrongBelow, type FaultMutant } from "./fault-mutant.js";
import { FAULT_SEQUEL_MUTANTS } from "./fault-sequel-mutants.js";

const READ_ONLY: readonly FaultMutant[] = [
  wrongAbove(
    "fault/write-read-only",
    "A refusal of the storage is taken for success.",
    (inner) => ({
      write: async (path, content, options) => {
        const result = await inner.write(path, content, options);
        return result.code === "permission_denied" ? { path } : result;
      },
    }),
  ),
  wrongAbove(
    "fault/edit-read-only",
    "A storage that refuses is answered as one that is away.",
    (inner) => ({
      edit: async (path, old, to, all, options) => {
        const result = await inner.edit(path, old, to, all, options);
        return result.code === "permission_denied" ? { ...result, code: "unavailable" } : result;
      },
    }),
  ),
  wrongBelow(
    "fault/upload-files-read-only",
    "What is refused was stored in a cache.",
    (storage) => {
      const kept = new Map<string, Uint8Array>();
      return {
        putMany: async (files, call) => {
          for (const [path, bytes] of files) kept.set(path, bytes);
          return (await storage.putMany?.(files, call)) ?? [];
        },
        getMany: async (paths, call) => {
          const found = (await storage.getMany?.(paths, call)) ?? [];
          return found.map((one, index) => {
            const bytes = kept.get(paths[index] ?? "");
            return bytes === undefined || one.status === "rejected" || one.value === undefined
              ? one
              : { status: "fulfilled", value: { ...one.value, bytes } };
          });
        },
      };
    },
  ),
  wrongAbove(
    "fault/delete-read-only",
    "A storage that refused once is not asked again.",
    (inner) => {
      let refused = false;
      return {
        delete: async (path, options) => {
          if (refused) return { error: "Read-only.", code: "permission_denied" };
          const result = await inner.delete(path, options);
          refused ||= result.code === "permission_denied";
          return result;
        },
      };
    },
  ),
  wrongAbove("fault/multi-edit-read-only", "Reads are refused with the changes.", (inner) => {
    let refused = false;
    return {
      multiEdit: async (path, edits, options) => {
        const result = await inner.multiEdit(path, edits, options);
        refused = result.code === "permission_denied";
        return result;
      },
      ls: async (path, options) =>
        refused ? { error: "Read-only.", code: "permission_denied" } : inner.ls(path, options),
    };
  }),
  wrongAbove("fault/move-from-read-only", "Nothing to move was found.", (inner) => ({
    move: async (from, to, options) => {
      const result = await inner.move(from, to, options);
      return result.code === "permission_denied" ? { ...result, code: "not_found" } : result;
    },
  })),
];

const AWAY: readonly FaultMutant[] = [
  wrongAbove("fault/ls-cut", "A listing that failed is empty.", (inner) => ({
    ls: async (path, options) => {
      const result = await inner.ls(path, options);
      return result.code === "unavailable" ? { files: [] } : result;
    },
  })),
  wrongAbove("fault/read-refused", "Whatever fails is a missing file.", (inner) => ({
    read: async (path, offset, limit, options) => {
      const result = await inner.read(path, offset, limit, options);
      return result.error === undefined ? result : { ...result, code: "not_found" };
    },
  })),
  wrongAbove("fault/grep-refused", "A search that failed found nothing.", (inner) => ({
    grep: async (pattern, path, glob, max, options) => {
      const result = await inner.grep(pattern, path, glob, max, options);
      return result.error === undefined ? result : { matches: [] };
    },
  })),
  wrongAbove("fault/glob-stalled", "The signal frees no call that waits.", (inner) => ({
    glob: (pattern, path) => inner.glob(pattern, path),
  })),
];

const LOST: readonly FaultMutant[] = [
  wrongAbove("fault/edit-all-answer-lost", "An edit without an answer is repeated.", (inner) => ({
    edit: async (path, old, to, all, options) => {
      const result = await inner.edit(path, old, to, all, options);
      return result.code === "unavailable" ? inner.edit(path, old, to, all, options) : result;
    },
  })),
  wrongAbove(
    "fault/move-to-answer-lost",
    "A source is removed before its copy is stored.",
    (inner) => ({
      move: async (from, to, options) => {
        const moved = await inner.downloadFiles([from]);
        const removed = await inner.delete(from);
        if (removed.error !== undefined) return removed;
        await inner.uploadFiles(moved.map(({ content }) => [to, content ?? new Uint8Array()]));
        return inner.move(from, to, options);
      },
    }),
  ),
  wrongBelow("fault/upload-files-full", "A file is removed before it is replaced.", (storage) => ({
    putMany: async (files, call) => {
      for (const [path] of files) await storage.remove(path, call);
      return (await storage.putMany?.(files, call)) ?? [];
    },
  })),
  wrongBelow(
    "fault/copy-over-full",
    "A copy that found no room is answered as a conflict.",
    () => ({
      copyFile: () => Promise.reject(new VolumeError("conflict")),
    }),
  ),
];

/** Every mutant of a failing storage. */
/** Of batches, and of names of other kinds. */
const APART: readonly FaultMutant[] = [
  wrongAbove(
    "fault/batch-answer-lost",
    "A batch is sent again when its answer is lost, and meets what it has stored itself.",
    (inner) => ({
      uploadFiles: async (files, options) => {
        const answers = await inner.uploadFiles(files, options);
        const isLost = answers.some(({ code }) => code === "unavailable" || code === "aborted");
        return isLost ? inner.uploadFiles(files, options) : answers;
      },
    }),
  ),
  wrongAbove(
    "fault/between-kinds-full",
    "What goes to a name of another kind is removed first, and stored then.",
    (inner) => ({
      move: async (from, to, options) => {
        const [file] = await inner.downloadFiles([from]);
        const isOther = from.slice(from.lastIndexOf(".")) !== to.slice(to.lastIndexOf("."));
        if (!isOther || file?.error !== null) return inner.move(from, to, options);
        await inner.delete(from);
        const [stored] = await inner.uploadFiles([[to, file.content]]);
        return stored?.error === null
          ? { path: to, files: 1 }
          : { error: "There is no room.", code: "quota_exceeded" };
      },
    }),
  ),
];

export const FAULT_MUTANTS: readonly FaultMutant[] = [
  ...APART,
  ...READ_ONLY,
  ...AWAY,
  ...LOST,
  ...FAULT_SEQUEL_MUTANTS,
];
