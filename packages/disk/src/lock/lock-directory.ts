import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  unlinkSync,
  writeFileSync,
  type BigIntStats,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { VolumeError } from "@fs/protocol/author";
import { errnoOf } from "../tree/refusals.js";
import { describeSelf, fateOf, parseOwner, writeOwner, type Owner } from "./owner.js";

/** Where this thread keeps its locks, and the file that is linked to take one. */
export interface LockDirectory {
  readonly path: string;
  readonly self: Owner;
  /** Holds {@link writeOwner} of `self`. */
  readonly ownerFile: string;
  /** Its inode, which every lock of this thread is a name of. */
  readonly ino: bigint;
}

/** Milliseconds after which the file of an owner whose fate is unknown is removed; a living one makes another. */
const OLD = 24 * 60 * 60 * 1000;

let opened: LockDirectory | undefined;

/**
 * The directory of all locks of this user on this machine, outside every tree that is served. Its place depends on no
 * environment variable, so that all processes agree on it.
 */
export function lockDirectory(): LockDirectory {
  if (opened !== undefined) return opened;
  const self = describeSelf();
  opened = withOwnerFile(openPrivate(), self);
  process.once("exit", () => {
    if (opened !== undefined) forget(opened.ownerFile);
  });
  sweep(opened);
  return opened;
}

/** Makes the owner's file again, and the directory too, after a cleaner of temporary files removed them. */
export function renewLockDirectory(): LockDirectory {
  const { self } = lockDirectory();
  opened = withOwnerFile(openPrivate(), self);
  return opened;
}

function withOwnerFile(path: string, self: Owner): LockDirectory {
  const ownerFile = join(path, `owner-${self.id}`);
  writeFileSync(ownerFile, writeOwner(self), { mode: 0o600 });
  return { path, self, ownerFile, ino: lstatSync(ownerFile, { bigint: true }).ino };
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
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return false;
  if (process.platform === "win32") return true;
  return stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}

/** Removes what processes that did not end in order have left. */
function sweep({ path, self }: LockDirectory): void {
  for (const name of readdirSync(path)) {
    if (!name.startsWith("owner-")) continue;
    const file = join(path, name);
    const held = readLock(file);
    if (held === undefined) continue;
    const fate = held.owner === undefined ? "unknown" : fateOf(held.owner, self);
    const old = Date.now() - Number(held.stats.mtimeMs) > OLD;
    if (fate === "gone" || (fate === "unknown" && old)) forget(file);
  }
}

/** A lock as it is now. */
export interface HeldLock {
  /** `undefined` for a file that names no owner, as one of another version. */
  readonly owner: Owner | undefined;
  readonly stats: BigIntStats;
}

/** What a lock holds; `undefined` when it has just been released. */
export function readLock(file: string): HeldLock | undefined {
  try {
    const stats = lstatSync(file, { bigint: true });
    return { stats, owner: parseOwner(readFileSync(file, "utf8")) };
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
