/** The files of an upload as pairs, whatever was passed: the backend below refuses a pair that makes no sense. */
export function filePairs(files: ReadonlyArray<[string, Uint8Array]>): Array<[string, Uint8Array]> {
  return Array.isArray(files) ? files.map((file) => [file?.[0], file?.[1]]) : [];
}

/** The paths of a download, none for what is no list. */
export function pathList(paths: readonly string[]): string[] {
  return Array.isArray(paths) ? [...paths] : [];
}
