import { setTimeout as delay } from "node:timers/promises";
import type { HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import { CREATED_AT } from "./object-properties.js";

/**
 * What stands for an instant where a file is being removed, on servers whose DELETE knows no condition: the
 * compare-and-swap of a PUT decides who removes which version, and the removal follows. Who meets it waits for that.
 */
export const TOMBSTONE = Buffer.from("This object is being removed by @fs/s3.\n");
/** The MD5 of it, which is its ETag. */
const TOMBSTONE_VERSION = "e94788756cace5692a308a6142ac7412";
const MARK = "fs-tombstone";

/** The metadata of a tombstone. */
export const TOMBSTONE_PROPERTIES = {
  ContentType: "text/plain; charset=utf-8",
  Metadata: { [MARK]: "1", [CREATED_AT]: "1970-01-01T00:00:00.000Z" },
} as const;

/** Milliseconds after which a tombstone was left behind by a client that is gone, and a new file may take its place. */
export const ABANDONED_AFTER = 15 * 60 * 1000;

/** Milliseconds between two looks at a tombstone, and how many looks it is given. */
const PAUSE = 25;
const LOOKS = 40;

/**
 * What stands at a key once nobody is removing it any more; `undefined` for nothing, and for a tombstone that stays. Waiting
 * makes the removal itself the one moment at which the file is gone for everybody.
 */
export async function onceRemoved<T extends Standing>(
  look: () => Promise<T | undefined>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  for (let looks = 1; ; looks++) {
    const standing = await look();
    if (standing === undefined || !isTombstone(standing)) return standing;
    if (looks === LOOKS || ageOf(standing) > PAUSE * LOOKS * 10) return undefined;
    await delay(PAUSE, undefined, signal === undefined ? {} : { signal });
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

/** Tells from a listing, which has no metadata. */
export function isTombstoneVersion(version: string | undefined, size: number | undefined): boolean {
  return version === TOMBSTONE_VERSION && size === TOMBSTONE.length;
}
