import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { VolumeError } from "@fs/protocol/author";
import { errnoOf } from "../tree/refusals.js";
import { describeSelf, isGone, parseOwner, writeOwner, type Owner } from "./owner.js";

/** Where this process keeps its locks, and the file that is linked to take one. */
export interface LockDirectory {
  readonly path: string;
  readonly self: Owner;
  /** Holds {@link writeOwner} of `self`. */
  readonly ownerFile: string;
}

let opened: LockDirectory | undefined;

/**
 * The directory of all locks of this user on this machine, outside every tree that is served. Its place depends on no
 * environment variable, so that all processes agree on it.
 */
export function lockDirectory(): LockDirectory {
  if (opened === undefined) {
    const path = openPrivate();
    const self = describeSelf();
    const ownerFile = join(path, `owner-${self.id}`);
    writeFileSync(ownerFile, writeOwner(self), { flag: "wx", mode: 0o600 });
    opened = { path, self, ownerFile };
    process.once("exit", () => forget(ownerFile));
    sweep(opened);
  }
  return opened;
}

function openPrivate(): string {
  const name = `fs-disk-locks-${userInfo().uid}`;
  for (const parent of parents()) {
    const path = join(parent, name);
    if (isUsable(path)) return path;
  }
  throw new VolumeError(
    "unavailable",
    "No directory for locks can be made in the temporary directories of this machine.",
  );
}

function parents(): string[] {
  // In memory where there is such a place, so that nothing is left after a restart.
  return process.platform === "win32" ? [tmpdir()] : ["/dev/shm", "/tmp", tmpdir()];
}

/** True when the directory exists or could be made, and belongs to this user alone. */
function isUsable(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") return false;
  }
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return false;
  if (process.platform === "win32") return true;
  return stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}

/** Removes what processes that did not end in order have left. */
function sweep({ path, self }: LockDirectory): void {
  for (const name of readdirSync(path)) {
    if (!name.startsWith("owner-")) continue;
    const file = join(path, name);
    const owner = readOwner(file);
    if (owner !== undefined && isGone(owner, self)) forget(file);
  }
}

/** Who a lock names; `undefined` when it has just been released. */
export function readOwner(file: string): Owner | undefined {
  try {
    return parseOwner(readFileSync(file, "utf8"));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Removes a file that may be gone already. */
export function forget(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}
