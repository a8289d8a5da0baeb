import { randomBytes } from "node:crypto";
import { bareEtag } from "./etag.js";
import type { HeadObjectCommandOutput } from "@aws-sdk/client-s3";

/**
 * The metadata that names the latest writes of an object, newest first: `id:base`, where `base` is the version that the
 * write replaced, or `-`. Every change of a file carries it over, so that a write whose answer was lost is recognised even
 * after others have changed the file again.
 */
const WRITE_LOG = "fs-writes";
/** Writes that are named. More would not fit into the 2 KB that S3 gives metadata, with what other tools keep there. */
const LOGGED = 8;

/** What became of a write whose answer was lost, as the object shows that is there now. */
export type Fate = "stored" | "superseded" | "refused" | "unknown";

/** What is looked at of the object that is there now. */
type Standing = Pick<HeadObjectCommandOutput, "Metadata" | "ETag">;

type Metadata = Readonly<Record<string, string>>;

/** An id for one write. */
export function newWriteId(): string {
  return randomBytes(12).toString("base64url");
}

/** The id of the write that stored an object, or `""` where none of ours did. */
export function writeIdOf(standing: Standing): string {
  return entriesOf(standing.Metadata)[0]?.split(":")[0] ?? "";
}

/** The metadata with one write more in its log. */
export function withWrite(
  metadata: Metadata | undefined,
  id: string,
  base: string | undefined,
): Record<string, string> {
  const entries = [`${id}:${base ?? "-"}`, ...entriesOf(metadata)].slice(0, LOGGED);
  return { ...metadata, [WRITE_LOG]: entries.join(" ") };
}

/**
 * `"stored"`: the object is this very write. `"superseded"`: it was stored, and changed since. `"refused"`: another write took
 * the place of the version that this one wanted to replace. `"unknown"`: the object does not say.
 */
export function fateOf(standing: Standing | undefined, id: string, base: string | undefined): Fate {
  const entries = entriesOf(standing?.Metadata);
  const at = entries.findIndex((entry) => entry.startsWith(`${id}:`));
  if (at === 0) return "stored";
  if (at > 0) return "superseded";
  return isReplaced(standing, base) ? "refused" : "unknown";
}

/**
 * Returns whether the log of an object names a write that replaced this version. One that stands again, because its content
 * came back, is not replaced: what was asked for it may still be carried out.
 */
export function isReplaced(standing: Standing | undefined, version: string | undefined): boolean {
  if (version === undefined || bareEtag(standing?.ETag) === bareEtag(version)) return false;
  return entriesOf(standing?.Metadata).some((entry) => entry.endsWith(`:${version}`));
}

function entriesOf(metadata: Metadata | undefined): string[] {
  return metadata?.[WRITE_LOG]?.split(" ").filter((entry) => entry.includes(":")) ?? [];
}
