import { closeSync, read } from "node:fs";
import { promisify } from "node:util";
import { VolumeError } from "@fs/protocol/author";
import { isMissing } from "../tree/open-if-there.js";
import type { OpenFile, Tree } from "../tree/tree.js";
import type { MoveOptions } from "./move-file.js";
import { putFile } from "./put-file.js";

/** Bytes held in memory at a time. */
const CHUNK = 4 * 1024 * 1024;

const readLater = promisify(read);

/** Copies one file of any size, mode included, whole or not at all. Throws `not_found`, `already_exists`, `is_directory`. */
export async function copyFile(
  tree: Tree,
  from: string,
  to: string,
  { overwrite, fsync, signal }: MoveOptions,
): Promise<true> {
  const file = openSource(tree, from);
  try {
    const condition = overwrite ? { signal } : { ifAbsent: true, signal };
    const options = { fsync, like: file.stats };
    await putFile(tree, to, () => chunksOf(file.fd), condition, options);
    return true;
  } finally {
    closeSync(file.fd);
  }
}

function openSource(tree: Tree, path: string): OpenFile {
  try {
    return tree.openFile(path);
  } catch (error) {
    throw isMissing(error) ? new VolumeError("not_found", undefined, { path }) : error;
  }
}

async function* chunksOf(fd: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; ;) {
    const chunk = Buffer.allocUnsafeSlow(CHUNK);
    const { bytesRead } = await readLater(fd, chunk, 0, CHUNK, position);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
    position += bytesRead;
  }
}
