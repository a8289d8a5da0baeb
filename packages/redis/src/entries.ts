import type { VolumeEntry, VolumeFile } from "@fs/protocol/volume";

/** What the storage keeps of a file beside its content. */
export interface FileRecord {
  readonly version: string;
  /** Bytes. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modifiedAt: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Valid UTF-8 without NUL, decided when it was stored. */
  readonly isText: boolean;
}

/** Reads a record as the scripts write it: `version size modified created text`. */
export function parseRecord(line: Buffer): FileRecord {
  const [version = "", size, modified, created, text] = line.toString("latin1").split(" ");
  return {
    version,
    size: Number(size),
    modifiedAt: new Date(Number(modified)).toISOString(),
    createdAt: new Date(Number(created)).toISOString(),
    isText: text === "1",
  };
}

/** A file as a volume returns it: plain bytes, since a Buffer's `slice` would not copy. */
export function fileOf(record: FileRecord, { buffer, byteOffset, length }: Buffer): VolumeFile {
  const { version, modifiedAt, createdAt } = record;
  return { bytes: new Uint8Array(buffer, byteOffset, length), version, modifiedAt, createdAt };
}

/** The path of a member `directory NUL name` of the tree. */
export function pathOfMember(member: Buffer): string {
  const cut = member.indexOf(0);
  const directory = cut === 1 ? "" : member.toString("utf8", 0, cut);
  return `${directory}/${member.toString("utf8", cut + 1)}`;
}

/** What a listing says of a path. */
export function entryOf(path: string, record: FileRecord | undefined): VolumeEntry {
  if (record === undefined) return { path, kind: "directory" };
  return { path, kind: "file", size: record.size, modifiedAt: record.modifiedAt };
}

/** A half-open range of tree members in the syntax of ZRANGEBYLEX. */
export interface MemberRange {
  readonly low: string;
  readonly high: string;
}

/** The members right in a directory. */
export function childRange(directory: string): MemberRange {
  return { low: `[${directory}\0`, high: `(${directory}\u0001` };
}

/** The members further down: those of every directory that begins with `directory/`. */
export function deeperRange(directory: string): MemberRange {
  // Below the root every other member begins with "/" and a name; "0" is the byte after "/".
  if (directory === "/") return { low: "[/\u0001", high: "(0" };
  return { low: `[${directory}/`, high: `(${directory}0` };
}
