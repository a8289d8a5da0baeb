import { closeSync, constants, fsyncSync, mkdirSync, openSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { VolumeError } from "@fs/protocol/author";
import { errnoOf } from "./refusals.js";

/** How directories are made. */
export interface Making {
  /** Flush the entry of each that is made: a file that outlasts a crash is lost in a directory that does not. */
  readonly fsync: boolean;
}

/** Makes one directory unless it is there. */
export function makeOne(host: string, { fsync }: Making): void {
  try {
    mkdirSync(host);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOTDIR") throw new VolumeError("not_directory");
    if (code !== "EEXIST") throw error;
    // Somebody else was quicker, which is as good.
    return;
  }
  if (fsync) flush([host]);
}

/** Makes a root and what is missing above it. */
export function makeRoot(root: string, { fsync }: Making): void {
  const first = mkdirSync(root, { recursive: true });
  if (first === undefined || !fsync) return;
  const made: string[] = [];
  for (let at = root; at.length >= first.length; at = dirname(at)) made.push(at);
  flush(made);
}

/**
 * Flushes the entries of directories that were just made, deepest first. Directories are made seldom: waiting here costs less
 * than holding all of them open until the change is made.
 */
function flush(made: readonly string[]): void {
  // Windows opens no directory; it has no such call and needs none.
  if (process.platform === "win32") return;
  try {
    for (const directory of made) flushOne(dirname(directory));
  } catch (error) {
    // The next change would take what stays for something that is on the disk.
    for (const directory of made) rmdirSync(directory);
    throw error;
  }
}

function flushOne(directory: string): void {
  const fd = openSync(`${directory}/.`, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
