/**
 * The files of an upload as pairs, whatever was passed: the backend below refuses a pair that makes no sense. The bytes are
 * copied, because a wrapper may wait before it passes them on, and the caller may change its buffers meanwhile.
 */
export function filePairs(files: ReadonlyArray<[string, Uint8Array]>): Array<[string, Uint8Array]> {
  if (!Array.isArray(files)) return [];
  return files.map((file) => {
    const bytes: unknown = file?.[1];
    return [file?.[0], bytes instanceof Uint8Array ? new Uint8Array(bytes) : file?.[1]];
  });
}

/** The paths of a download, none for what is no list. */
export function pathList(paths: readonly string[]): string[] {
  return Array.isArray(paths) ? [...paths] : [];
}
