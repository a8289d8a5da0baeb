import { randomUUID } from "node:crypto";
import { hashOf, type Side, sideOf } from "@fs/changes";
import { currentCaller } from "@fs/protocol";
import { isTextBytes } from "@fs/protocol/hooks";
import { type PutCondition, VolumeError, type VolumeFile } from "@fs/protocol/author";
import { sideOfVersion, stateOf } from "./base-layer.js";
import type { PutEntry } from "./entry.js";
import { type Layers, STAGED_VERSION } from "./layers.js";
import { untilStored, Verdict } from "./lost-rounds.js";
import { collisionsOf, unsettledOf } from "./collisions.js";
import { takenBack } from "./taken-back.js";
import { frozenOf, tidyAway } from "./tidy-away.js";
import type { StagedPath } from "./upper-layer.js";

/** Rounds for which a file that collides is left to the client that created it. One that has died takes nothing back. */
const MAX_WAITS = 50;

/**
 * Stages a whole file: its content first, then its entry in one compare-and-swap, which is the moment at which it changes.
 * Content that is the base's own leaves no entry. Throws `already_exists` and `conflict` as the condition says.
 */
export async function putStaged(
  layers: Layers,
  path: string,
  bytes: Uint8Array,
  { ifAbsent, ifVersion, signal }: PutCondition,
): Promise<{ version: string }> {
  const after = sideOf(bytes);
  let again = false;
  let waits = 0;
  return untilStored(signal, async () => {
    if (again) await refuseCollision(layers, path, signal);
    const staged = await layers.upper.at(path, signal);
    const unsettled = (await unsettledOf(layers.upper, [staged], signal)).get(path);
    if (unsettled !== undefined)
      throw new VolumeError(waits++ < MAX_WAITS ? "conflict" : unsettled);
    const before = await stateBefore(layers, path, staged, signal);
    if (ifAbsent === true && before.version !== undefined) throw new Verdict("already_exists");
    if (ifVersion !== undefined && before.version !== ifVersion) throw new Verdict("conflict");
    const restored = await restoresBase(layers, path, staged, before, after, signal);
    if (restored !== undefined && staged.own === undefined) return { version: restored };
    await layers.upper.blobs.put(
      before.keep === undefined ? [bytes] : [before.keep, bytes],
      signal,
    );
    const now = new Date().toISOString();
    const entry: PutEntry = {
      op: "put",
      path,
      stamp: randomUUID(),
      stagedAt: now,
      caller: currentCaller(),
      base: before.base,
      after,
      createdAt: before.createdAt ?? now,
      ...(before.version === undefined && { created: true as const }),
    };
    const held = await layers.upper.store(entry, staged.own, signal);
    again = await takenBack(layers, { held, previous: staged.own });
    if (again) throw new VolumeError("conflict");
    const tidied =
      restored !== undefined &&
      (await tidyAway(layers.upper, held, await frozenOf(layers.upper, [path], signal), signal));
    return { version: tidied ? restored : STAGED_VERSION + entry.stamp };
  });
}

/** What another client has staged above or below the path stands in the way. */
async function refuseCollision(layers: Layers, path: string, signal?: AbortSignal): Promise<void> {
  const collision = (await collisionsOf(layers, [path], signal)).get(path);
  if (collision !== undefined) throw new VolumeError(collision);
}

/** A path as it is before a change. */
interface Before {
  /** The merged version; `undefined`: there is no file. */
  readonly version?: string | undefined;
  readonly createdAt?: string | undefined;
  /** What the base held at the first change. */
  readonly base: Side | null;
  /** The base's content, to be kept for patches and merges. */
  readonly keep?: Uint8Array | undefined;
}

async function stateBefore(
  { base }: Layers,
  path: string,
  { own, hidden }: StagedPath,
  signal?: AbortSignal,
): Promise<Before> {
  if (own?.entry.op === "put") {
    const { stamp, createdAt, base: first } = own.entry;
    return { version: STAGED_VERSION + stamp, createdAt, base: first };
  }
  if (own !== undefined && own.entry.onlyStaged !== true) return { base: own.entry.base };
  if (own === undefined && hidden !== undefined) return { base: hidden };
  const file = await base.get(path, signal);
  if (own === undefined) return file === undefined ? { base: null } : beforeOf(file);
  // A commit may have stored what was removed since. What else is there has not been seen.
  if (file === undefined || hashOf(file.bytes) !== own.entry.base.hash) return { base: null };
  const { base: stored, keep } = beforeOf(file);
  return { base: stored, keep };
}

function beforeOf(file: VolumeFile): Before {
  const { bytes, version, createdAt } = file;
  const keep = isTextBytes(bytes) ? bytes : undefined;
  return { version, createdAt, base: stateOf(file), keep };
}

/**
 * The base's version when the content is the base's own and the base still has it, so that no entry is needed. What is hidden
 * by a removed directory needs its entry, and so does what a commit may be about to change.
 */
async function restoresBase(
  { upper, base }: Layers,
  path: string,
  { own, hidden }: StagedPath,
  before: Before,
  after: Side,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (before.base === null || hidden !== undefined) return undefined;
  const known =
    before.base.hash === undefined
      ? before.base.size === after.size
      : before.base.hash === after.hash;
  if (!known) return undefined;
  if (own === undefined && (await upper.frozen(signal)).has(path)) return undefined;
  const file = await base.get(path, signal);
  if (file === undefined || sideOf(file.bytes).hash !== after.hash) return undefined;
  const { version } = sideOfVersion(file.bytes.length, file.version);
  // Somebody else put this content there: it is not what was seen, so the entry stays and the commit finds out.
  if (before.base.version !== version) return undefined;
  return file.version;
}
