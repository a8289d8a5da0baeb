import { isCode, isUncertain } from "../errors/certainty.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { VolumeError } from "../errors/volume-error.js";
import type { VolumePut } from "../spi/volume.js";
import type { Copy, Leg, RelocationEnd } from "./ends.js";
import type { Relocation } from "./relocate.js";

/** A file that has arrived: what was copied, and what it replaced. */
export interface Arrival {
  readonly leg: Leg;
  /** The version that was copied. */
  readonly sourceVersion: string | undefined;
  /** Names the write that stored what was copied, where the storage knows it. */
  readonly sourceWriteId: string | undefined;
  /** The content, kept only where it may be needed again: of one file, without versions, or where something was replaced. */
  readonly bytes: Uint8Array | undefined;
  /** The version that the call stored; absent where the storage has none. */
  readonly version: string | undefined;
  /** Names the write that stored the copy, where the storage knows writes of one content apart by that. */
  readonly writeId: string | undefined;
  /** What was at the destination before. */
  readonly replaced: Copy | undefined;
  /** By `performance.now()`, before the last look at the source that showed what was copied. */
  readonly seenAt: number;
  /** By `performance.now()`, before the copy was stored. */
  readonly begunAt: number;
}

/** How one leg ended. */
export type CopyOutcome =
  | { readonly arrival: Arrival }
  /** The source was gone when its turn came. */
  | { readonly gone: Leg }
  | {
      readonly leg: Leg;
      readonly error: unknown;
      /** The storage did not say whether it stored the copy. */
      readonly unknown?: boolean;
      /** The storage has answered that it stored the copy, and does not show it. */
      readonly arrival?: Arrival;
    };

/** Rounds after which an overwritten destination that changes all the time is given up. */
const MAX_ROUNDS = 20;

/**
 * Copies one batch: every destination is created, or with `overwrite` replaced in exactly the version that was seen. Asking
 * whether something is there costs no call of its own: the condition of the upload finds out.
 */
export async function copyFiles(
  source: RelocationEnd,
  target: RelocationEnd,
  legs: readonly Leg[],
  { overwrite, tree }: Pick<Relocation, "overwrite" | "tree">,
): Promise<CopyOutcome[]> {
  const seenAt = performance.now();
  const fetched = await source.get(legs.map(({ from }) => from));
  const outcomes = new Map<Leg, CopyOutcome>();
  const pending: Pending[] = [];
  for (const [index, leg] of legs.entries()) {
    const read = fetched[index];
    if (read?.status === "fulfilled")
      pending.push({ leg, source: read.value, seenAt, keeps: !tree, replaced: undefined });
    else if (isCode(read?.reason, "not_found")) outcomes.set(leg, { gone: leg });
    else outcomes.set(leg, { leg, error: named(read?.reason, leg.from) });
  }
  let rest = pending;
  for (let round = 0; rest.length > 0 && round < MAX_ROUNDS; round++)
    rest = await putRound(source, target, rest, overwrite, outcomes);
  for (const { leg } of rest)
    outcomes.set(leg, { leg, error: new VolumeError("conflict", undefined, { path: leg.to }) });
  return legs.flatMap((leg) => outcomes.get(leg) ?? []);
}

interface Pending {
  readonly leg: Leg;
  readonly source: Copy;
  readonly seenAt: number;
  /** Of a tree no more contents are kept than are certainly needed again. */
  readonly keeps: boolean;
  readonly replaced: Copy | undefined;
}

/** Tries to store what is left. Returns what has to be tried again, because the destination was there or has changed. */
async function putRound(
  source: RelocationEnd,
  target: RelocationEnd,
  pending: readonly Pending[],
  overwrite: boolean,
  outcomes: Map<Leg, CopyOutcome>,
): Promise<Pending[]> {
  const begunAt = performance.now();
  const stored = await target.put(
    pending.map(({ leg, source: { bytes }, replaced }) => {
      if (replaced === undefined) return [leg.to, bytes, { ifAbsent: true }] as const;
      const { version } = replaced;
      return version === undefined
        ? ([leg.to, bytes] as const)
        : ([leg.to, bytes, { ifVersion: version }] as const);
    }),
  );
  const again: Pending[] = [];
  for (const [index, item] of pending.entries()) {
    const { leg } = item;
    const put = stored[index];
    if (put?.status === "fulfilled")
      outcomes.set(leg, await arrivalOf(source, target, { ...item, begunAt }, put.value ?? {}));
    else if (overwrite && isCode(put?.reason, "already_exists", "conflict")) again.push(item);
    else {
      const error = named(put?.reason, leg.to);
      outcomes.set(leg, { leg, error, unknown: isUncertain(put?.reason) });
    }
  }
  if (again.length === 0) return again;
  const seen = await target.get(again.map(({ leg }) => leg.to));
  return again.flatMap((item, index): Pending[] => {
    const now = seen[index];
    if (now?.status === "fulfilled") return [{ ...item, replaced: now.value }];
    if (isCode(now?.reason, "not_found")) return [{ ...item, replaced: undefined }];
    const { leg } = item;
    outcomes.set(leg, { leg, error: named(now?.reason, leg.to) });
    return [];
  });
}

/** A file whose store was acknowledged, once its version is known or its content was read back. */
async function arrivalOf(
  source: RelocationEnd,
  target: RelocationEnd,
  { leg, source: copy, replaced, seenAt, keeps, begunAt }: Pending & Pick<Arrival, "begunAt">,
  { version: stored, writeId }: VolumePut,
): Promise<CopyOutcome> {
  const { bytes, version: sourceVersion, writeId: sourceWriteId } = copy;
  const seen = stored === undefined ? await lookAt(target, leg.to, bytes) : { version: stored };
  if ("changed" in seen)
    return { leg, error: new VolumeError("conflict", undefined, { path: leg.to }) };
  const { version } = seen;
  const forgettable = version !== undefined && replaced === undefined && source.versioned(leg.from);
  const kept = forgettable && !keeps ? undefined : bytes;
  const known = { leg, sourceVersion, sourceWriteId, version, writeId, replaced, seenAt, begunAt };
  const arrival: Arrival = { ...known, bytes: kept };
  return "error" in seen ? { leg, error: named(seen.error, leg.to), arrival } : { arrival };
}

/** What is at the destination of a copy that was just stored by a storage that does not report versions. */
type Seen =
  | { readonly version: string | undefined }
  | { readonly changed: true }
  | { readonly error: unknown; readonly version?: undefined };

/** The version of a file that was just stored, if the file is still that one. Without versions, only reading back shows that. */
async function lookAt(target: RelocationEnd, path: string, bytes: Uint8Array): Promise<Seen> {
  const [back] = await target.get([path]);
  const same = back?.status === "fulfilled" && sameBytes(back.value.bytes, bytes);
  if (target.versioned(path)) return { version: same ? back.value.version : undefined };
  if (same) return { version: undefined };
  if (back?.status === "fulfilled" || isCode(back?.reason, "not_found", "is_directory"))
    return { changed: true };
  return { error: back?.reason };
}

/** Whether two contents are the same; never where one of them is not known. */
export function sameBytes(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** The error of a file with its path, where the storage did not name one. */
export function named(error: unknown, path: string): unknown {
  if (error === undefined || error === null)
    return new VolumeError("unavailable", undefined, { path });
  if (!VolumeError.isInstance(error))
    return isUncertain(error)
      ? error
      : new VolumeError(failureFromThrown(error, path).code, undefined, { path, cause: error });
  // It is the call that was aborted, not the file at which that was seen.
  if (error.path !== undefined || error.detail !== undefined || error.code === "aborted")
    return error;
  return new VolumeError(error.code, undefined, { path, cause: error.cause });
}
