import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsync,
  futimesSync,
  openSync,
  unlinkSync,
  write,
  writeSync,
  type BigIntStats,
} from "node:fs";
import { promisify } from "node:util";
import { VolumeError } from "@fs/protocol/author";
import { errnoOf } from "../tree/refusals.js";
import type { Directory } from "../tree/tree.js";
import { TEMPORARY } from "./temporary.js";
import { stampNow } from "./version.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
/** Bytes up to which a file is written in one go. */
const AT_ONCE = 1024 * 1024;
/** Bytes per asynchronous write of a larger one: each costs a turn of the event loop, which a busy process feels. */
const CHUNK = 64 * 1024 * 1024;

const writeLater = promisify(write);
const fsyncLater = promisify(fsync);

/** A complete file under a name that nobody knows yet, to be linked or renamed to its place. */
export interface TemporaryFile {
  readonly host: string;
  readonly fd: number;
  /** Notes that the temporary name is gone: the file has its place. */
  settle(): void;
  /** Removes the temporary name of a file that has another one by now. One that stays is removed when it is old. */
  drop(): void;
  /** Closes the file, and removes it unless it is settled. */
  close(): void;
}

/** What to write, part by part; called again when a write starts over. */
export type Content = () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export interface WriteOptions {
  /** The file whose mode and owner are kept. */
  readonly like?: BigIntStats | undefined;
  readonly fsync: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Writes the content to a temporary file in a directory. Leaves nothing behind when it throws. */
export async function writeTemporary(
  directory: Directory,
  content: Content,
  options: WriteOptions,
): Promise<TemporaryFile> {
  const host = directory.at(TEMPORARY.fresh());
  const fd = openSync(host, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o666);
  let settled = false;
  const file = {
    host,
    fd,
    settle: () => {
      settled = true;
    },
    drop: () => {
      settled = true;
      tryForget(host);
    },
    close: () => {
      closeSync(fd);
      if (!settled) tryForget(host);
    },
  };
  try {
    if (options.like !== undefined) imitate(fd, options.like);
    for await (const part of content()) await writeAll(fd, part, options.signal);
    const now = stampNow();
    futimesSync(fd, now, now);
    if (options.fsync) await fsyncLater(fd);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

async function writeAll(
  fd: number,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    if (signal?.aborted === true) throw new VolumeError("aborted");
    const length = Math.min(CHUNK, bytes.length - written);
    if (bytes.length <= AT_ONCE) written += writeSync(fd, bytes, written, length);
    else written += (await writeLater(fd, bytes, written, length)).bytesWritten;
  }
}

function imitate(fd: number, like: BigIntStats): void {
  if (process.platform === "win32") return;
  if (process.getuid?.() === 0) tryChown(fd, Number(like.uid), Number(like.gid));
  fchmodSync(fd, Number(like.mode & 0o7777n));
}

function tryChown(fd: number, uid: number, gid: number): void {
  try {
    fchownSync(fd, uid, gid);
  } catch (error) {
    // In a container even the superuser may not; the content matters more.
    if (errnoOf(error) !== "EPERM") throw error;
  }
}

/**
 * Removes a temporary name. A disk that does not is no reason to call a change undone that was made, nor to hide why one was
 * not: the name is hidden, and a listing removes it once it is old.
 */
function tryForget(host: string): void {
  try {
    unlinkSync(host);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}
