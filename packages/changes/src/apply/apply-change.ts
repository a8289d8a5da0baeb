import type { UploadCondition } from "@fs/protocol";
import { decodeText, encodeText, quote, VolumeError } from "@fs/protocol/author";
import { isTextBytes } from "@fs/protocol/hooks";
import { type Change, kindOf, sameContent, type Side } from "../change.js";
import { hashOf, sideOf } from "../hash.js";
import type { BlobStore } from "../store/blob-store.js";
import type { FileAccess, SeenFile } from "../store/file-access.js";
import { mergeTexts } from "../text/three-way.js";
import type { PathReport } from "./report.js";

/** What every change of a set is made with. */
export interface ApplyContext {
  readonly files: FileAccess;
  readonly blobs: BlobStore;
  readonly merge: boolean;
  readonly allowUnguarded: boolean;
  /** True: content that is as before in another version is a conflict, because somebody may have put it back. */
  readonly exactVersions: boolean;
  /** True: every file that was stored is read back. */
  readonly verify: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Lost rounds after which a file that keeps changing is a conflict. */
const MAX_ROUNDS = 5;

/**
 * Makes one change, as one conditional call where its version is known. A refused one is looked into: content that is
 * there already is `already`, content of somebody else a `conflict`, or merged. Throws only what is no answer of a storage.
 */
export async function applyChange(context: ApplyContext, change: Change): Promise<PathReport> {
  const { path } = change;
  if (change.before === null && change.after === null) return { path, status: "already" };
  try {
    return await rounds(context, change);
  } catch (error) {
    if (!VolumeError.isInstance(error)) throw error;
    return refused(path, error);
  }
}

async function rounds(context: ApplyContext, change: Change): Promise<PathReport> {
  const { files, signal } = context;
  const { path, before } = change;
  const guarded = files.guardedAt(path);
  // What leads to the content that it was made on is only looked at: somebody may have changed the file since.
  const unchanging = kindOf(change) === "none";
  if (!guarded && !context.allowUnguarded && !unchanging)
    return { path, status: "refused", ...UNGUARDED };
  let condition = guarded && !unchanging ? conditionOf(before) : undefined;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let after = change.after;
    let merged: Side | undefined;
    if (condition === undefined) {
      const current = await files.get(path, signal);
      const judged = await judge(context, change, current);
      if ("status" in judged) return judged;
      ({ after, merged } = judged);
      condition = current === undefined ? { ifAbsent: true } : conditionOfVersion(current.version);
    }
    const done = await make(context, path, after, guarded ? condition : {});
    if (done !== undefined)
      return { ...done, ...(merged && { merged }), ...(guarded ? {} : { unguarded: true }) };
    condition = undefined;
  }
  return conflict(change, null, "The file kept changing while this change was tried.");
}

const UNGUARDED = {
  code: "unsupported",
  detail: "This backend has no versions, so a change by somebody else could be overwritten.",
} as const;

/** The condition under which the change is right without a look; `undefined` where its version is not known. */
function conditionOf(before: Side | null): UploadCondition | undefined {
  return before === null ? { ifAbsent: true } : conditionOfVersion(before.version);
}

function conditionOfVersion(version: string | undefined): UploadCondition | undefined {
  return version === undefined ? undefined : { ifVersion: version };
}

type Judged = PathReport | { readonly after: Side | null; readonly merged?: Side };

/** What is to be done about a file that may not be as the change expects it. */
async function judge(
  context: ApplyContext,
  change: Change,
  current: SeenFile | undefined,
): Promise<Judged> {
  const { path, before, after } = change;
  const theirs = current === undefined ? null : sideOf(current.bytes, current.version);
  if (after === null ? theirs === null : sameContent(theirs, after))
    return { path, status: "already", version: theirs?.version };
  const sameVersion = before?.version === undefined || before.version === theirs?.version;
  const asBefore =
    before === null ? theirs === null : sameContent(theirs, before) || isVersion(before, theirs);
  if (asBefore && (before === null || sameVersion || !context.exactVersions)) return { after };
  if (context.merge && !context.exactVersions && before !== null && current !== undefined) {
    const text = await mergedText(context, change, current);
    if (text !== undefined) return keepMerged(context, change, current, text);
  }
  return conflict(change, theirs);
}

function isVersion(before: Side, theirs: Side | null): boolean {
  return theirs !== null && before.version !== undefined && before.version === theirs.version;
}

async function mergedText(
  { blobs, signal }: ApplyContext,
  { before, after }: Change,
  theirs: SeenFile,
): Promise<string | undefined> {
  if (before?.hash === undefined || after?.hash === undefined) return undefined;
  const [base, ours] = await Promise.all([
    blobs.get(before.hash, signal),
    blobs.get(after.hash, signal),
  ]);
  if (base === undefined || ours === undefined) return undefined;
  if (![base, ours, theirs.bytes].every(isTextBytes)) return undefined;
  const merged = mergeTexts(decodeText(base), decodeText(ours), decodeText(theirs.bytes));
  return merged.clean ? merged.text : undefined;
}

async function keepMerged(
  { blobs, signal }: ApplyContext,
  { path }: Change,
  current: SeenFile,
  text: string,
): Promise<Judged> {
  const bytes = encodeText(text);
  const merged = sideOf(bytes);
  if (merged.hash === hashOf(current.bytes))
    return { path, status: "already", version: current.version, merged };
  await blobs.put([bytes], signal);
  return { after: merged, merged };
}

/** One conditional call; `undefined` when the file is not as the condition says. */
async function make(
  context: ApplyContext,
  path: string,
  after: Side | null,
  condition: UploadCondition | undefined,
): Promise<PathReport | undefined> {
  const { files, signal } = context;
  // Before anything is tried, so that a content that is not kept is no change that may have happened.
  const bytes = after === null ? undefined : await contentOf(context, after);
  try {
    if (after === null || bytes === undefined) {
      const removed = await files.remove(path, condition?.ifVersion, signal);
      return { path, status: removed ? "applied" : "already" };
    }
    const stored = await files.put(path, bytes, condition, signal);
    if (context.verify || (stored.size !== undefined && stored.size !== after.size))
      return await readBack(context, path, after, stored.version);
    return { path, status: "applied", version: stored.version };
  } catch (error) {
    if (!VolumeError.isInstance(error)) throw error;
    if (error.code === "conflict" || error.code === "already_exists" || error.code === "not_found")
      return undefined;
    if (isUnknown(error)) return lookAfterUnknown(context, path, after, error);
    throw error;
  }
}

/** The content of a side. Throws `unavailable` where it is not kept. */
async function contentOf(
  { blobs, signal }: Pick<ApplyContext, "blobs" | "signal">,
  side: Side,
): Promise<Uint8Array> {
  const bytes = side.hash === undefined ? undefined : await blobs.get(side.hash, signal);
  if (bytes === undefined)
    throw new VolumeError("unavailable", "The content of this change is not kept any more.");
  return bytes;
}

/** Returns whether a file holds exactly a content. */
async function readBack(
  { files, signal }: Pick<ApplyContext, "files" | "signal">,
  path: string,
  after: Side,
  version?: string,
): Promise<PathReport> {
  const file = await files.get(path, signal);
  if (file !== undefined && hashOf(file.bytes) === after.hash)
    return { path, status: "applied", version: file.version ?? version };
  const detail = `${quote(path)} was stored, but other content was read back.`;
  return { path, status: "failed", code: "conflict", detail };
}

/** Returns whether a file, or its absence, is what a change leads to. */
export function isAs(file: SeenFile | undefined, after: Side | null): boolean {
  if (file === undefined || after === null) return file === undefined && after === null;
  return hashOf(file.bytes) === after.hash;
}

/** As {@link readBack}, where a read that fails is the report of this one file. */
export async function readArrived(
  context: Pick<ApplyContext, "files" | "signal">,
  path: string,
  after: Side,
): Promise<PathReport> {
  try {
    return await readBack(context, path, after);
  } catch (error) {
    if (!VolumeError.isInstance(error)) throw error;
    const detail = `${quote(path)} was stored, but could not be read back (${error.code}).`;
    return { path, status: "failed", code: error.code, detail };
  }
}

function isUnknown({ code }: VolumeError): boolean {
  return code === "unavailable" || code === "timeout" || code === "aborted";
}

/** A call whose outcome is not known is `applied` only when the file holds the content; it is never undone on a guess. */
async function lookAfterUnknown(
  { files }: ApplyContext,
  path: string,
  after: Side | null,
  error: VolumeError,
): Promise<PathReport> {
  const [looked] = await Promise.allSettled([files.get(path)]);
  if (looked.status === "fulfilled") {
    const file = looked.value;
    if (isAs(file, after)) return { path, status: "applied", version: file?.version };
  }
  const detail = `${error.detail ?? `The storage did not answer for ${quote(path)}.`} It may have happened.`;
  return { path, status: "failed", code: error.code, detail };
}

function refused(path: string, error: VolumeError): PathReport {
  const status = isUnknown(error) ? "failed" : "refused";
  const detail = error.detail ?? `The change of ${quote(path)} was refused (${error.code}).`;
  return { path, status, code: error.code, detail };
}

function conflict(change: Change, theirs: Side | null, detail?: string): PathReport {
  const { path, before, after } = change;
  const sentence = `${quote(path)} was changed by somebody else since this change was made.`;
  return {
    path,
    status: "conflict",
    code: "conflict",
    detail: detail ?? sentence,
    conflict: { base: before, ours: after, theirs },
  };
}
