import { optionsOf } from "@fs/protocol/async";
import { setTimeout as delay } from "node:timers/promises";
import type { HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import { CREATED_AT } from "./object-properties.js";

/**
 * What is at a key for an instant while a file is removed from a server whose DELETE knows no condition: the compare-and-swap
 * of a PUT decides who removes which version, and with it the file is gone for everybody. The DELETE that follows only tidies
 * up, so that its failure is no failure of the removal.
 */
export const TOMBSTONE = new TextEncoder().encode(
  "This object is being removed by @fs/s3.".padEnd(2038) + "\n",
);
const MARK = "fs-tombstone";

/** The metadata of a tombstone. */
export const TOMBSTONE_PROPERTIES = {
  ContentType: "text/plain; charset=utf-8",
  Metadata: { [MARK]: "1", [CREATED_AT]: "1970-01-01T00:00:00.000Z" },
} as const;

/**
 * Milliseconds for which a tombstone is looked at before a new file takes its place, by what a late DELETE spares. One that
 * compares times does so in whole seconds, and gateways have clocks of their own.
 */
export const PATIENCE_MS = { version: 0, time: 2500 } as const;
/** Milliseconds where a late DELETE spares nothing: servers refuse a request that was signed more than 15 minutes ago. */
export const EXPIRED_AFTER_MS = 15 * 60 * 1000;

/** Milliseconds between two looks at a tombstone: the first pause, and the longest. */
const FIRST_PAUSE = 20;
const LONGEST_PAUSE = 250;

/** What is at a key once it is no tombstone any more, or has been one for so many milliseconds. */
export async function onceTidied<T extends Standing>(
  look: () => Promise<T | undefined>,
  patienceMs: number,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const end = performance.now() + patienceMs;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const standing = await look();
    if (standing === undefined || !isTombstone(standing)) return standing;
    if (performance.now() >= end) return standing;
    await delay(pause, undefined, optionsOf(signal));
  }
}

/** Milliseconds since an object was written, by this machine's clock. */
export function ageOf({ LastModified }: Standing): number {
  return LastModified === undefined ? 0 : Date.now() - LastModified.getTime();
}

type Standing = Pick<HeadObjectCommandOutput, "Metadata" | "LastModified">;

/** Tells from its headers whether an object is a tombstone. */
export function isTombstone({ Metadata }: Standing): boolean {
  return Metadata?.[MARK] === "1";
}

/**
 * Returns, from a listing, which has no metadata, whether an object may be a tombstone and has to be looked at. By an odd
 * length, because the ETag of what is encrypted says nothing about its content.
 */
export function mayBeTombstone(size: number | undefined): boolean {
  return size === TOMBSTONE.length;
}
