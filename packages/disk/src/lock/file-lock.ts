import { createHash } from "node:crypto";
import { linkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { VolumeError } from "@fs/protocol/author";
import { errnoOf } from "../tree/refusals.js";
import { forget, lockDirectory, readOwner, type LockDirectory } from "./lock-directory.js";
import { isGone } from "./owner.js";

/** Milliseconds to wait for a lock whose holder lives. Every holder needs it for a few system calls only. */
const PATIENCE = 10_000;
/** The longest pause between two tries, in milliseconds. */
const MAX_PAUSE = 8;

/**
 * Runs a synchronous task while holding the locks of some keys, against every process and thread of this user on this
 * machine. A lock is a hard link to the owner's file, so it is taken at once and never half written; one whose owner is
 * gone is broken. Throws `unavailable` when a lock stays taken.
 */
export async function withLocks<T>(
  keys: readonly string[],
  signal: AbortSignal | undefined,
  task: () => T,
): Promise<T> {
  const directory = lockDirectory();
  // In one order for everybody, so that two holders never wait for each other.
  const names = [...new Set(keys)].toSorted().map(lockName);
  const deadline = performance.now() + PATIENCE;
  for (let round = 0; ; round++) {
    const held = takeAll(directory, names);
    if (held) {
      try {
        return task();
      } finally {
        for (const name of names) forget(join(directory.path, name));
      }
    }
    if (signal?.aborted === true) throw new VolumeError("aborted");
    if (performance.now() > deadline) {
      throw new VolumeError("unavailable", "The file stayed locked by another process. Try again.");
    }
    await delay(Math.random() * Math.min(MAX_PAUSE, 2 ** Math.min(round - 2, 10)));
  }
}

function lockName(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 40);
}

/** Takes all locks, or none. */
function takeAll(directory: LockDirectory, names: readonly string[]): boolean {
  const taken: string[] = [];
  for (const name of names) {
    if (!take(directory, name)) {
      for (const earlier of taken) forget(join(directory.path, earlier));
      return false;
    }
    taken.push(name);
  }
  return true;
}

function take(directory: LockDirectory, name: string): boolean {
  const file = join(directory.path, name);
  if (tryLink(directory, file)) return true;
  return breakStale(directory, name) && tryLink(directory, file);
}

function tryLink(directory: LockDirectory, file: string): boolean {
  try {
    linkSync(directory.ownerFile, file);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a lock whose owner is gone. Only the holder of a lock named after that very owner may, so that no newcomer's
 * lock is ever removed by mistake; should the breaker die too, its own lock is broken the same way.
 */
function breakStale(directory: LockDirectory, name: string): boolean {
  const file = join(directory.path, name);
  const owner = readOwner(file);
  if (owner === undefined) return true;
  if (!isGone(owner, directory.self)) return false;
  const breaker = lockName(`${name} ${owner.id}`);
  if (!take(directory, breaker)) return false;
  try {
    if (readOwner(file)?.id === owner.id) forget(file);
  } finally {
    forget(join(directory.path, breaker));
  }
  return true;
}
