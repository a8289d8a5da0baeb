import type { BackendProtocolV2, MemoryBackend } from "@fs/protocol";

/** A backend of another package over the files: it names no features, and has what is given in place of its methods. */
export function foreignBackend(
  files: MemoryBackend,
  replaced: Partial<BackendProtocolV2> = {},
): BackendProtocolV2 {
  return {
    ls: async (path) => files.ls(path),
    read: async (path, offset, limit) => files.read(path, offset, limit),
    readRaw: async (path) => files.readRaw(path),
    write: async (path, content) => files.write(path, content),
    edit: async (path, old, replacement) => files.edit(path, old, replacement),
    grep: async (pattern, path, glob) => files.grep(pattern, path, glob),
    glob: async (pattern, path) => files.glob(pattern, path),
    delete: async (path) => files.delete(path),
    uploadFiles: async (given) =>
      (await files.uploadFiles(given.map(([path, bytes]) => [path, bytes]))).map(
        ({ path, error, code }) => ({ path, error, ...(code === undefined ? {} : { code }) }),
      ),
    downloadFiles: async (paths) =>
      (await files.downloadFiles(paths)).map(({ path, content, error, code }) => ({
        path,
        content,
        error,
        ...(code === undefined ? {} : { code }),
      })),
    ...replaced,
  };
}
