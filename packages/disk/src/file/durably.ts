import { closeSync, constants, fsync, openSync } from "node:fs";
import { promisify } from "node:util";
import { VolumeError } from "@fs/protocol/author";
import type { Directory } from "../tree/tree.js";

const fsyncLater = promisify(fsync);

/**
 * Makes a change in directories and, when `wanted`, flushes their entries before it is acknowledged. They are opened before
 * the change, so that one that cannot be made durable for want of descriptors is refused and not made.
 *
 * Throws `unavailable` when the flush fails: the change is made then, and the sentence says so.
 */
export async function durably<T>(
  directories: readonly Directory[],
  wanted: boolean,
  change: () => Promise<T> | T,
): Promise<T> {
  // Windows opens no directory; it has no such call and needs none.
  if (!wanted || process.platform === "win32") return change();
  const fds: number[] = [];
  try {
    for (const { self } of directories)
      fds.push(openSync(`${self}/.`, constants.O_RDONLY | constants.O_DIRECTORY));
    const result = await change();
    await Promise.all(fds.map(flush));
    return result;
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

async function flush(fd: number): Promise<void> {
  try {
    await fsyncLater(fd);
  } catch (error) {
    throw new VolumeError(
      "unavailable",
      "The change was made, but the disk did not confirm that it will outlast a crash.",
      { cause: error },
    );
  }
}
