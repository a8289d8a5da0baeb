/** An entry of a listing. */
interface Entry {
  readonly path: string;
  readonly is_dir?: boolean;
}

/**
 * An answer as a text that says nothing of where and when: a directory has another name, and of times, versions and names of
 * writes only that they are there. Two answers about equal files are equal texts, whatever the order of their fields. Of a
 * listing the versions are left out, and the times of directories: it gives those that cost nothing, which may be some alone.
 *
 * @param directory The path that is written as `/d`; it occurs in no content.
 */
export function withoutPlace(answer: unknown, directory: string): string {
  return textOfAnswer(answer, isOfOneWrite).replaceAll(directory, "/d");
}

function isOfOneWrite(key: string): boolean {
  return key.endsWith("_at") || key === "version" || key === "writeId";
}

/**
 * An answer as a text that is the same whenever the files are: also versions and times, where the storage keeps these.
 *
 * @param keepsTimes Whether the times are those of the storage.
 */
export function withoutMoment(answer: unknown, keepsTimes: boolean): string {
  return textOfAnswer(answer, (key) => !keepsTimes && key.endsWith("_at"));
}

/**
 * An answer as a text, without what its listings may leave out: versions, and what is known of directories.
 *
 * @param isOwn Whether of the text with this key only is said that it is there.
 */
function textOfAnswer(answer: unknown, isOwn: (key: string) => boolean): string {
  const text = JSON.stringify(answer, (key, value: unknown) => {
    if (key === "files" && Array.isArray(value))
      return value.map((entry: Entry) =>
        entry.is_dir === true
          ? { path: entry.path, is_dir: true }
          : { ...entry, version: undefined },
      );
    if (value instanceof Uint8Array) return Buffer.from(value).toString("latin1");
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return typeof value === "string" && isOwn(key) ? "one of its own" : value;
  });
  return text ?? "undefined";
}
