import type { HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import { CREATED_AT } from "./object-properties.js";

/**
 * What stands for an instant where a file of a certain version is being removed, on servers whose DELETE knows no
 * condition: the compare-and-swap of a PUT decides, and the removal follows. Readers take it for nothing.
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

/** Tells from its headers whether an object is a tombstone. */
export function isTombstone({ Metadata }: Pick<HeadObjectCommandOutput, "Metadata">): boolean {
  return Metadata?.[MARK] === "1";
}

/** Tells from a listing, which has no metadata. */
export function isTombstoneVersion(version: string | undefined, size: number | undefined): boolean {
  return version === TOMBSTONE_VERSION && size === TOMBSTONE.length;
}
