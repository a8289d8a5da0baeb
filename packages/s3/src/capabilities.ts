import { randomUUID } from "node:crypto";
import type { VolumeCall } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";
import { bareEtag } from "./etag.js";
import { isConditionFailed, statusOf } from "./failures.js";
import type { KeySpace } from "./keys.js";
import { unlessModifiedSince } from "./unless-modified.js";

/** What a server makes of conditions. Each was tried; nothing is taken from its name or version. */
export interface Capabilities {
  /** `If-None-Match: *` and `If-Match` on PUT are honoured: creating and editing are safe. */
  readonly conditionalPut: boolean;
  /** `If-Match` on DELETE is honoured, also where nothing is any more. */
  readonly conditionalDelete: boolean;
  /** What keeps a DELETE that arrives late from removing a newer file: a condition on the version, one on the time, or nothing. */
  readonly spares: "version" | "time" | undefined;
  /** False when the credentials may not delete at all. */
  readonly mayDelete: boolean;
}

/** An ETag that no object has. */
const NO_SUCH_VERSION = "00000000000000000000000000000000";

/**
 * Finds out by trying, on an object of its own which no path can name and which is gone afterwards. Eight requests at most.
 */
export async function probeCapabilities(
  bucket: Bucket,
  keys: KeySpace,
  call: VolumeCall,
): Promise<Capabilities> {
  const Key = keys.probe(randomUUID());
  const put = (condition: {
    IfNoneMatch?: "*";
    IfMatch?: string;
  }): Promise<{ ETag?: string | undefined }> =>
    bucket.putObject({ Key, Body: "1", ContentLength: 1, ...condition }, call);
  const remove = (condition: { IfMatch?: string }, header = {}): Promise<unknown> =>
    bucket.deleteObject({ Key, ...condition }, call, header);
  const { ETag } = await put({ IfNoneMatch: "*" });
  const IfMatch = bareEtag(ETag) ?? NO_SUCH_VERSION;
  const conditionalPut =
    (await refuses(put({ IfNoneMatch: "*" }))) &&
    (await refuses(put({ IfMatch: NO_SUCH_VERSION }))) &&
    (await outcomeOf(put({ IfMatch }))) === "done";
  const foreign = conditionalPut
    ? await outcomeOf(remove({ IfMatch: NO_SUCH_VERSION }))
    : "unknown";
  // Where the condition was ignored, the object is gone by now.
  if (conditionalPut && foreign === "done") await put({ IfNoneMatch: "*" });
  const timed =
    conditionalPut &&
    foreign !== "refused" &&
    (await refuses(remove({}, unlessModifiedSince(LONG_AGO))));
  const removed = await outcomeOf(remove({}));
  // A removal must fail once another client was faster; Ceph 20 says it was done.
  const conditionalDelete =
    foreign === "refused" && (await refuses(remove({ IfMatch: NO_SUCH_VERSION })));
  const spares = foreign === "refused" ? "version" : timed ? "time" : undefined;
  return { conditionalPut, conditionalDelete, spares, mayDelete: removed === "done" };
}

const LONG_AGO = new Date("2001-01-01T00:00:00Z");

async function refuses(request: Promise<unknown>): Promise<boolean> {
  return (await outcomeOf(request)) === "refused";
}

/** `"unknown"` for a server that does not know the condition (501), or credentials that may not do this at all (403). */
async function outcomeOf(request: Promise<unknown>): Promise<"done" | "refused" | "unknown"> {
  try {
    await request;
    return "done";
  } catch (error) {
    if (isConditionFailed(error, "version")) return "refused";
    const status = statusOf(error);
    if (status !== undefined && [400, 403, 405, 501].includes(status)) return "unknown";
    throw error;
  }
}
