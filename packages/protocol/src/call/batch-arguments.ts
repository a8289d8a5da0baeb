import type { UploadFile } from "../types/options.js";

/**
 * The files of an upload, whatever was passed: the backend below refuses what makes no sense. The bytes are copied, because
 * a wrapper may wait before it passes them on, and the caller may change its buffers meanwhile.
 */
export function filePairs(files: readonly UploadFile[]): UploadFile[] {
  if (!Array.isArray(files)) return [];
  return Array.from(files, (file: unknown): UploadFile => {
    const [path, bytes, condition] = Array.isArray(file) ? (file as unknown[]) : [];
    const own = bytes instanceof Uint8Array ? new Uint8Array(bytes) : bytes;
    return (condition === undefined ? [path, own] : [path, own, condition]) as UploadFile;
  });
}

/** The paths of a download, none for what is no list. */
export function pathList(paths: readonly string[]): string[] {
  return Array.isArray(paths) ? Array.from(paths) : [];
}
