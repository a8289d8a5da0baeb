import { optionsOf } from "@fs/protocol/async";
import { setTimeout as delay } from "node:timers/promises";
import { isCode, VolumeError } from "@fs/protocol/author";
import { type FileAccess, jsonBytes, jsonOf } from "../store/file-access.js";

/** The right to work on something, as long as it is renewed. */
export interface Lease {
  /** Renews it where that is due. Returns whether it is still held: `false` once another owner has it. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

interface Held {
  readonly owner: string;
  /** Grows with every renewal. */
  readonly beat: number;
}

/** How often an owner renews within the time of a lease. */
const BEATS = 3;

/**
 * Takes a lease that is kept as a file. One of a dead owner is taken over once it was not renewed for `leaseMs`, counted
 * here: the clocks of two machines are never compared. Throws `conflict` while another owner renews it.
 *
 * A lease spares two owners the same work. It protects nothing by itself: whoever lost it unseen still meets the
 * conditions of every call.
 */
export async function takeLease(
  files: FileAccess,
  path: string,
  owner: string,
  leaseMs: number,
  signal?: AbortSignal,
): Promise<Lease> {
  let version = await acquire(files, path, owner, leaseMs, signal);
  let beat = 0;
  let held = true;
  let renewed = performance.now();
  let renewing: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    try {
      const content = jsonBytes({ owner, beat: ++beat });
      ({ version } = await files.put(path, content, { ifVersion: version ?? "" }));
      renewed = performance.now();
    } catch (error) {
      // What could not be stored is tried again at the next beat; what another owner stored is final.
      if (isCode(error, "conflict")) held = false;
      else if (!VolumeError.isInstance(error)) throw error;
    }
  };
  const renewOnce = (): Promise<void> =>
    (renewing ??= renew().finally(() => {
      renewing = undefined;
    }));
  const timer = setInterval(() => void renewOnce(), leaseMs / BEATS);
  timer.unref();
  return {
    isHeld: async () => {
      if (held && performance.now() - renewed > leaseMs / BEATS) await renewOnce();
      return held;
    },
    release: async () => {
      clearInterval(timer);
      await renewing;
      // One that stays behind is taken over after its time.
      if (held) await Promise.allSettled([files.remove(path, version)]);
      held = false;
    },
  };
}

async function acquire(
  files: FileAccess,
  path: string,
  owner: string,
  leaseMs: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const content = jsonBytes({ owner, beat: 0 });
  const seen = await files.get(path, signal);
  try {
    if (seen === undefined)
      return (await files.put(path, content, { ifAbsent: true }, signal)).version;
    const before = heldOf(jsonOf(path, seen));
    if (before.owner !== owner) {
      const until = performance.now() + leaseMs;
      while (performance.now() < until) {
        await delay(Math.min(leaseMs / BEATS, 250), undefined, optionsOf(signal));
        const now = await files.get(path, signal);
        if (now === undefined)
          return (await files.put(path, content, { ifAbsent: true }, signal)).version;
        if (now.version !== seen.version) throw new VolumeError("conflict", BUSY);
      }
    }
    return (await files.put(path, content, { ifVersion: seen.version ?? "" }, signal)).version;
  } catch (error) {
    throw isCode(error, "conflict", "already_exists") ? new VolumeError("conflict", BUSY) : error;
  }
}

/** Leases of one owner at a file: one at a time, since a file cannot distinguish two leases of its owner. */
export function oneLease(take: (signal?: AbortSignal) => Promise<Lease>): typeof take {
  let taken = false;
  return async (signal) => {
    if (taken) throw new VolumeError("conflict", BUSY);
    taken = true;
    try {
      const lease = await take(signal);
      const release = async (): Promise<void> => {
        await lease.release().finally(() => {
          taken = false;
        });
      };
      return { isHeld: () => lease.isHeld(), release };
    } catch (error) {
      taken = false;
      throw error;
    }
  };
}

const BUSY = "Another process is applying changes here. Wait until it has finished.";

function heldOf(value: unknown): Held {
  if (typeof value === "object" && value !== null && "owner" in value && "beat" in value) {
    const { owner, beat } = value;
    if (typeof owner === "string" && typeof beat === "number") return { owner, beat };
  }
  throw new VolumeError("unavailable", "A stored lease is damaged.");
}
