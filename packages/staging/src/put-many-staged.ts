import { randomUUID } from "node:crypto";
import { sideOf } from "@fs/changes";
import { currentCaller } from "@fs/protocol";
import { mapConcurrently, outcomeOf } from "@fs/protocol/async";
import {
  type VolumeCall,
  VolumeError,
  type VolumePut,
  type VolumeUpload,
} from "@fs/protocol/author";
import type { PutEntry } from "./entry.js";
import { afterStoring } from "./inner-paths.js";
import { type Layers, STAGED_VERSION } from "./layers.js";
import { putStaged } from "./put-staged.js";
import { collisionsOf, unsettledOf } from "./collisions.js";
import { takeBack } from "./taken-back.js";
import type { Held, StagedPath } from "./upper-layer.js";

/** Files staged at once where each needs calls of its own. */
const WIDTH = 16;

type Outcome = PromiseSettledResult<VolumePut>;

/**
 * Stages many files. Those that the base does not have go together: their contents in one call, then their entries in
 * another. All others go alone, as does what another client staged meanwhile. Declines where a path comes twice.
 */
export async function putManyStaged(
  layers: Layers,
  files: readonly VolumeUpload[],
  { signal }: VolumeCall,
): Promise<Outcome[] | undefined> {
  const paths = files.map(([path]) => path);
  if (new Set(paths).size < paths.length) return undefined;
  const together = await entriesOfNew(layers, files, signal);
  const fresh = files.flatMap((file, index) => {
    const found = together[index];
    return found === undefined ? [] : [{ ...found, bytes: file[1] }];
  });
  await layers.upper.blobs.put(
    fresh.map(({ bytes }) => bytes),
    signal,
  );
  const stored = await layers.upper.storeMany(fresh, signal);
  const answers = new Map(fresh.map(({ entry }, index) => [entry, stored[index]]));
  const collisions = await outcomeOf(() => collisionsOf(layers, created(stored)));
  return mapConcurrently(files, WIDTH, async ([path, bytes, condition], index) => {
    const entry = together[index]?.entry;
    const answer = entry && answers.get(entry);
    if (VolumeError.isInstance(answer)) return rejected(answer);
    const alone = (): Promise<VolumePut> =>
      putStaged(layers, path, bytes, { ...condition, signal });
    if (answer === undefined || answer === "lost") return outcomeOf(alone);
    const done = { version: STAGED_VERSION + answer.entry.stamp };
    if (answer.entry.created !== true) return fulfilled(done);
    if (collisions.status === "rejected") return rejected(afterStoring(collisions.reason));
    if (!collisions.value.has(path)) return fulfilled(done);
    const unseen = { held: answer, previous: undefined };
    return outcomeOf(async () => ((await takeBack(layers.upper, unseen)) ? alone() : done));
  });
}

function created(stored: ReadonlyArray<Held<PutEntry> | "lost" | VolumeError>): string[] {
  return stored.flatMap((held) =>
    held !== "lost" && !VolumeError.isInstance(held) && held.entry.created === true
      ? held.entry.path
      : [],
  );
}

/** The entry of each file that exists in neither layer, or in the upper one alone; `undefined` for the others. */
async function entriesOfNew(
  { upper, base }: Layers,
  files: readonly VolumeUpload[],
  signal: AbortSignal | undefined,
): Promise<Array<{ entry: PutEntry; held: Held | undefined } | undefined>> {
  const paths = files.map(([path]) => path);
  const staged = await upper.atMany(paths, signal);
  const [inBase, unsettled] = await Promise.all([
    base.existing(
      paths.filter((_, index) => isUntouched(staged[index])),
      signal,
    ),
    unsettledOf(upper, staged, signal),
  ]);
  return files.map(([path, bytes, condition], index) => {
    const { own, hidden } = staged[index] ?? {};
    if (hidden !== undefined || own?.entry.op === "gone" || inBase.has(path)) return undefined;
    if (unsettled.has(path)) return undefined;
    if (own !== undefined && own.entry.base !== null) return undefined;
    const version = own?.entry.op === "put" ? STAGED_VERSION + own.entry.stamp : undefined;
    const { ifAbsent, ifVersion } = condition ?? {};
    // What a condition refuses is refused by the path of one file, in its words.
    if (ifAbsent === true && version !== undefined) return undefined;
    if (ifVersion !== undefined && ifVersion !== version) return undefined;
    const now = new Date().toISOString();
    const entry: PutEntry = {
      op: "put",
      path,
      stamp: randomUUID(),
      stagedAt: now,
      caller: currentCaller(),
      base: null,
      after: sideOf(bytes),
      createdAt: own?.entry.op === "put" ? own.entry.createdAt : now,
      ...(own?.entry.op !== "put" && { created: true as const }),
    };
    return { entry, held: own };
  });
}

function isUntouched(staged: StagedPath | undefined): boolean {
  return staged?.own === undefined && staged?.hidden === undefined;
}

function fulfilled(value: VolumePut): Outcome {
  return { status: "fulfilled", value };
}

function rejected(reason: unknown): Outcome {
  return { status: "rejected", reason };
}
