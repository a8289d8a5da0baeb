import { prefixOf, type ListQuery, type VolumeCall } from "@fs/protocol/author";
import type { PathGlob } from "@fs/protocol/hooks";
import type { Connection } from "./connection.js";
import { parseRecord, type FileRecord } from "./entries.js";
import type { NamespaceKeys } from "./keyspace.js";
import { BELOW, CHILDREN } from "./lua/read-scripts.js";
import { bufferOf, buffersOf, unexpected } from "./replies.js";

/** Entries that one script lists: about a millisecond of the server's time. */
const SLICE = 500;
/** Paths that one script looks at when the end of a path decides which are listed: about two milliseconds. */
const SIFTED_SLICE = 2000;
/** Ends that are tried on every path: with more of them, the records are sent and the glob decides. */
const MOST_ENDS = 8;

/** An entry of a listing; without a record it is a directory. */
export interface Listed {
  readonly path: string;
  readonly record: FileRecord | undefined;
}

/** What lies in a directory, or every file below it, slice by slice in path order. */
export async function* listSlices(
  connection: Connection,
  keys: NamespaceKeys,
  directory: string,
  { deep, glob, signal }: Pick<ListQuery, "deep" | "glob"> & VolumeCall,
): AsyncGenerator<Listed[]> {
  const ends = glob === undefined ? [] : endsOf(glob);
  const narrowed = glob !== undefined && glob.prefix.startsWith(prefixOf(directory));
  const sifted = [ends.length > 0 ? SIFTED_SLICE : SLICE, narrowed ? glob.prefix : "", ...ends];
  let next: Buffer | string = "";
  do {
    const reply: unknown = deep
      ? await connection.run(BELOW, keys, [directory, next, ...sifted], { signal })
      : await connection.run(CHILDREN, keys, [directory, next, SLICE], { signal });
    if (!Array.isArray(reply)) throw unexpected();
    const [cursor, found, records]: unknown[] = reply;
    const lines = buffersOf(records);
    next = bufferOf(cursor) ?? "";
    const slice = buffersOf(found).map((path, index) => {
      const line: Buffer | undefined = lines[index];
      return { path: path.toString(), record: line === undefined ? undefined : parseRecord(line) };
    });
    // A file that was removed by hand has no record; below a directory only files are listed.
    yield deep ? slice.filter((entry) => entry.record !== undefined) : slice;
  } while (next.length > 0);
}

/** Of which the path of every match ends with one; none where it may end with anything. */
function endsOf({ names }: PathGlob): string[] {
  if (names === undefined || names.length > MOST_ENDS) return [];
  const ends = names.map((name) =>
    name.includes("*") ? name.slice(name.lastIndexOf("*") + 1) : `/${name}`,
  );
  return ends.includes("") ? [] : ends;
}
