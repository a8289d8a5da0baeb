import { setTimeout as delay } from "node:timers/promises";
import { VolumeError } from "@fs/protocol/author";
import { type FileAccess, jsonBytes, jsonOf } from "../store/file-access.js";

/** The right to work on something, as long as it is renewed. */
export interface Lease {
  /** True until the lease was found with somebody else, or could not be renewed in time. */
  readonly held: boolean;
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
      ({ version } = await files.put(path, jsonBytes({ owner, beat: ++beat }), {
        ifVersion: version ?? "",
      }));
      renewed = performance.now();
    } catch (error) {
      if (!VolumeError.isInstance(error)) throw error;
      if (error.code === "conflict") held = false;
    }
  };
  const timer = setInterval(() => {
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
  }, leaseMs / BEATS);
  timer.unref();
  return {
    get held() {
      return held && performance.now() - renewed < leaseMs;
    },
    release: async () => {
      clearInterval(timer);
      await renewing;
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
    if (seen === undefined) return (await files.put(path, content, { ifAbsent: true }, signal)).version;
    const before = heldOf(jsonOf(path, seen));
    if (before.owner !== owner) {
      const until = performance.now() + leaseMs;
      while (performance.now() < until) {
        await delay(Math.min(leaseMs / BEATS, 250), undefined, signal === undefined ? {} : { signal });
        const now = await files.get(path, signal);
        if (now === undefined)
          return (await files.put(path, content, { ifAbsent: true }, signal)).version;
        if (now.version !== seen.version) throw new VolumeError("conflict", BUSY);
      }
    }
    return (await files.put(path, content, { ifVersion: seen.version ?? "" }, signal)).version;
  } catch (error) {
    if (!VolumeError.isInstance(error)) throw error;
    const lost = error.code === "conflict" || error.code === "already_exists";
    throw lost ? new VolumeError("conflict", BUSY) : error;
  }
}

const BUSY = "Another process is applying changes here. Wait until it has finished.";

function heldOf(value: unknown): Held {
  if (typeof value === "object" && value !== null && "owner" in value && "beat" in value) {
    const { owner, beat } = value;
    if (typeof owner === "string" && typeof beat === "number") return { owner, beat };
  }
  throw new VolumeError("unavailable", "A stored lease is damaged.");
}
