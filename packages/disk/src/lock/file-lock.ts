import { linkSync, lstatSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { VolumeError } from "@fs/protocol/author";
import { digestOf } from "@fs/protocol/records";
import { errnoOf } from "../tree/refusals.js";
import {
  forget,
  lockDirectory,
  readLock,
  renewLockDirectory,
  type LockDirectory,
} from "./lock-directory.js";
import { Leases } from "./lease.js";

/** Milliseconds to wait for a lock whose holder lives: more than two leases. */
const PATIENCE = 12_000;
/** The longest pause between two tries, in milliseconds. */
const MAX_PAUSE = 8;

/**
 * Runs a synchronous task while holding the locks of some keys, against every process and thread of this user on this
 * machine. A lock is a hard link to the owner's file, so it is taken at once and never half written. It is broken when its
 * owner is gone, or when its lease is over and its state is unknown: see {@link Leases}. Throws `unavailable` when a lock stays
 * taken; the task was not begun then.
 */
export async function withLocks<T>(
  keys: readonly string[],
  signal: AbortSignal | undefined,
  task: () => T,
): Promise<T> {
  // In one order for everybody, so that two holders never wait for each other.
  const names = [...new Set(keys)].toSorted().map(lockName);
  const attempt = new Attempt();
  const deadline = performance.now() + PATIENCE;
  for (let round = 0; ; round++) {
    const held = attempt.takeAll(names);
    if (held !== undefined) {
      try {
        return task();
      } finally {
        for (const lock of held) release(lock);
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
  return digestOf("sha256", "hex", key).slice(0, 40);
}

/** A lock that this thread holds. */
interface Taken {
  readonly file: string;
  /** The inode of the owner's file, which the lock is a name of. */
  readonly ino: bigint;
}

/** The tries of one caller. */
class Attempt {
  readonly #leases = new Leases();

  /** Takes all locks, or none. */
  takeAll(names: readonly string[]): readonly Taken[] | undefined {
    const taken: Taken[] = [];
    try {
      for (const name of names) {
        const lock = this.#take(name);
        if (lock === undefined) return undefined;
        taken.push(lock);
      }
      return taken;
    } finally {
      if (taken.length < names.length) for (const lock of taken) release(lock);
    }
  }

  #take(name: string): Taken | undefined {
    return tryLink(name) ?? (this.#breakStale(name) ? tryLink(name) : undefined);
  }

  /**
   * Removes a lock whose owner is gone. Only the holder of a lock named after that very owner may, so that no newcomer's
   * lock is ever removed by mistake; should the breaker die too, its own lock is broken the same way.
   */
  #breakStale(name: string): boolean {
    const { path, self } = lockDirectory();
    const file = join(path, name);
    const held = readLock(file);
    if (held === undefined) return true;
    if (!this.#leases.isOver(name, held, self)) return false;
    const breaker = this.#take(lockName(`${name} ${held.owner?.id ?? held.stats.ino}`));
    if (breaker === undefined) return false;
    try {
      if (readLock(file)?.stats.ino === held.stats.ino) forget(file);
    } finally {
      release(breaker);
    }
    return true;
  }
}

/** Takes a lock that is free. The owner's file is stamped first: the time of a lock is when it was taken. */
function tryLink(name: string): Taken | undefined {
  try {
    return linkOwner(lockDirectory(), name);
  } catch (error) {
    // A cleaner of temporary files was here: the owner's file is made again, once.
    if (errnoOf(error) !== "ENOENT") throw error;
    return linkOwner(renewLockDirectory(), name);
  }
}

function linkOwner({ path, ownerFile, ino }: LockDirectory, name: string): Taken | undefined {
  const file = join(path, name);
  const now = Date.now() / 1000;
  utimesSync(ownerFile, now, now);
  try {
    linkSync(ownerFile, file);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return undefined;
    throw error;
  }
  return { file, ino };
}

/** Gives a lock back, unless it was broken meanwhile and is another's. */
function release({ file, ino }: Taken): void {
  if (lstatSync(file, { bigint: true, throwIfNoEntry: false })?.ino === ino) forget(file);
}
