import type { VolumeEntry, VolumeFile } from "@fs/protocol/author";

/** What the storage keeps of a file beside its content. */
export interface FileRecord {
  readonly version: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, UTC. */
  readonly modified: number;
  /** Milliseconds since 1970, UTC. */
  readonly created: number;
  /** Valid UTF-8 without NUL, decided when it was stored. */
  readonly isText: boolean;
}

/** Reads a record as the scripts write it: `version size modified created text`. */
export function parseRecord(line: Buffer): FileRecord {
  const [version = "", size, modified, created, text] = line.toString("latin1").split(" ");
  return {
    version,
    size: Number(size),
    modified: Number(modified),
    created: Number(created),
    isText: text === "1",
  };
}

/** Plain bytes: a Buffer's `slice` would not copy, and its JSON and its equality are its own. */
export function plainBytes({ buffer, byteOffset, length }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

export function fileOf(record: FileRecord, bytes: Buffer): VolumeFile {
  return {
    bytes: plainBytes(bytes),
    version: record.version,
    modifiedAt: new Date(record.modified).toISOString(),
    createdAt: new Date(record.created).toISOString(),
  };
}

/** What a listing says of a path. */
export function entryOf(path: string, record: FileRecord | undefined): VolumeEntry {
  if (record === undefined) return { path, kind: "directory" };
  const modifiedAt = new Date(record.modified).toISOString();
  const createdAt = new Date(record.created).toISOString();
  return { path, kind: "file", size: record.size, modifiedAt, createdAt, version: record.version };
}
