import type { Connection } from "./connection.js";
import { parseRecord, pathOfMember, type FileRecord, type MemberRange } from "./entries.js";
import type { NamespaceKeys } from "./keyspace.js";
import { RANGE } from "./lua/read-scripts.js";
import { bufferOf, unexpected } from "./replies.js";

/** Entries that one script lists: under a millisecond of the server's time. */
const SLICE = 500;

/** An entry of the tree; without a record it is a directory. */
export interface Listed {
  readonly path: string;
  readonly record: FileRecord | undefined;
}

/** The entries of a range of the tree, slice by slice. */
export async function* rangeOf(
  connection: Connection,
  keys: NamespaceKeys,
  range: MemberRange,
): AsyncGenerator<Listed[]> {
  let low: string | Buffer = range.low;
  for (;;) {
    const reply = await connection.run(RANGE, keys, [low, range.high, SLICE]);
    const [members, records] = pairOf(reply);
    const last = members.at(-1);
    if (last === undefined) return;
    yield members.map((member, index) => {
      const line = bufferOf(records[index]);
      const record = line === undefined ? undefined : parseRecord(line);
      return { path: pathOfMember(member), record };
    });
    if (members.length < SLICE) return;
    low = Buffer.concat([Buffer.from("("), last]);
  }
}

function pairOf(reply: unknown): [members: Buffer[], records: unknown[]] {
  if (!Array.isArray(reply)) throw unexpected();
  const [members, records]: unknown[] = reply;
  if (!Array.isArray(members) || !Array.isArray(records)) throw unexpected();
  return [
    members.map((member: unknown) => {
      const buffer = bufferOf(member);
      if (buffer === undefined) throw unexpected();
      return buffer;
    }),
    records,
  ];
}
