import type { VolumeCall } from "@fs/protocol/author";
import type { Connection } from "./connection.js";
import { parseRecord, type FileRecord } from "./entries.js";
import type { NamespaceKeys } from "./keyspace.js";
import { BELOW, CHILDREN } from "./lua/read-scripts.js";
import { bufferOf, buffersOf, unexpected } from "./replies.js";

/** Entries that one script lists: about a millisecond of the server's time. */
const SLICE = 500;

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
  { deep, signal }: { readonly deep: boolean } & VolumeCall,
): AsyncGenerator<Listed[]> {
  let next: Buffer | string = "";
  do {
    const args = [directory, next, SLICE];
    const reply: unknown = await connection.run(deep ? BELOW : CHILDREN, keys, args, {
      signal,
    });
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
