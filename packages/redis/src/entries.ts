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

/** What a listing says of a path. */
export function entryOf(path: string, record: FileRecord | undefined): VolumeEntry {
  if (record === undefined) return { path, kind: "directory" };
  return { path, kind: "file", size: record.size, modifiedAt: record.modifiedAt };
}
