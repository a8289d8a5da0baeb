import { lstatSync, unlinkSync } from "node:fs";
import { TemporaryNames } from "@fs/protocol/author";
import { errnoOf } from "../tree/refusals.js";

/** Names of files that are being written. */
export const TEMPORARY = new TemporaryNames(".fs-disk-");

/** Milliseconds after which a temporary file is that of a writer which was killed. A living one stamps it as it writes. */
const OLD = 60 * 60 * 1000;

/** Removes a temporary file that a listing came upon, if it is old: its writer was killed. */
export function removeIfOld(host: string): void {
  try {
    const stats = lstatSync(host, { throwIfNoEntry: false });
    if (stats?.isFile() === true && Date.now() - stats.mtimeMs > OLD) unlinkSync(host);
  } catch (error) {
    // Gone, or on a disk that this process may not change: then it stays, hidden as before.
    const code = errnoOf(error);
    if (code !== "ENOENT" && code !== "EACCES" && code !== "EPERM" && code !== "EROFS") throw error;
  }
}
