import { randomUUID } from "node:crypto";
import type { Bucket } from "./bucket.js";
import { bareEtag } from "./etag.js";
import { isConditionFailed, statusOf } from "./failures.js";
import type { KeySpace } from "./keys.js";
import { copySourceOf } from "./copy-source.js";

/** What a server makes of conditions. Each was tried; nothing is taken from its name or version. */
export interface Capabilities {
  /** `If-None-Match: *` and `If-Match` on PUT are honoured: creating and editing are safe. */
  readonly conditionalPut: boolean;
  /** `If-Match` on DELETE is honoured, also where nothing stands any more. */
  readonly conditionalDelete: boolean;
  /** `If-None-Match: *` on the destination of a copy is honoured. */
  readonly conditionalCopy: boolean;
}

/** An ETag that no object has. */
const NO_SUCH_VERSION = "00000000000000000000000000000000";

/**
 * Finds out by trying, on an object of its own below the prefix, which listings hide and which is gone afterwards. Eight
 * requests at most.
 */
export async function probeCapabilities(bucket: Bucket, keys: KeySpace): Promise<Capabilities> {
  const Key = keys.probe(randomUUID());
  const { ETag } = await bucket.putObject({ Key, Body: "1", IfNoneMatch: "*" });
  const IfMatch = bareEtag(ETag) ?? NO_SUCH_VERSION;
  const conditionalPut =
    (await refuses(bucket.putObject({ Key, Body: "2", IfNoneMatch: "*" }))) &&
    (await refuses(bucket.putObject({ Key, Body: "2", IfMatch: NO_SUCH_VERSION }))) &&
    (await outcomeOf(bucket.putObject({ Key, Body: "2", IfMatch }))) === "done";
  // Onto itself: a server that ignores the condition leaves nothing more behind.
  const CopySource = copySourceOf(bucket.name, Key);
  const conditionalCopy =
    conditionalPut &&
    (await refuses(
      bucket.copyObject({ Key, CopySource, IfNoneMatch: "*", MetadataDirective: "REPLACE" }),
    ));
  const refusesOther =
    conditionalPut && (await refuses(bucket.deleteObject({ Key, IfMatch: NO_SUCH_VERSION })));
  // Where the condition was ignored, the object is gone by now.
  if (refusesOther || !conditionalPut) await outcomeOf(bucket.deleteObject({ Key }));
  // A removal must fail once somebody else was faster; Ceph 20 says it was done.
  const conditionalDelete =
    refusesOther && (await refuses(bucket.deleteObject({ Key, IfMatch: NO_SUCH_VERSION })));
  return { conditionalPut, conditionalDelete, conditionalCopy };
}

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
