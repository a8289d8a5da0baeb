import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { refuseAborted } from "../concurrency/refuse-aborted.js";
import { isUncertain } from "../errors/certainty.js";
import { VolumeError } from "../errors/volume-error.js";
import { ancestorsOf } from "../paths/segments.js";
import type { VolumeCall, VolumePut, VolumeUpload } from "../spi/volume.js";
import type { VolumeContext } from "./context.js";
import { type CollisionCheck, collisionCheckOf } from "./find.js";

/** What became of one file. */
type Stored = PromiseSettledResult<VolumePut | undefined>;

/**
 * Stores many files, each on its condition, else replacing; answers in input order. Where the storage leaves it to the backend,
 * refuses those that would stand where a directory is, or below a file, also one of this batch. Throws where that cannot be looked at.
 */
export async function storeFiles(
  context: VolumeContext,
  files: readonly VolumeUpload[],
  call: VolumeCall,
): Promise<readonly Stored[]> {
  const paths = [...new Set(files.map(([path]) => path))];
  const store = async (): Promise<readonly Stored[]> => {
    const look = await collisionCheckOf(context.volume, paths, call);
    return look === undefined
      ? putAll(context, files, call)
      : putUnlessColliding(context, files, look, call);
  };
  return context.creations.run(paths, store, call.signal);
}

async function putUnlessColliding(
  context: VolumeContext,
  files: readonly VolumeUpload[],
  look: CollisionCheck,
  call: VolumeCall,
): Promise<Stored[]> {
  const checked = await mapConcurrently(files, context.concurrency, (file) =>
    outcomeOf(async () => {
      refuseAborted(call.signal);
      await look(file[0]);
      return file;
    }),
  );
  const accepted = checked.flatMap((item) => (item.status === "fulfilled" ? [item.value] : []));
  const stored = await putApart(context, accepted, call);
  let next = 0;
  return checked.map((item) =>
    item.status === "fulfilled" ? (stored[next++] ?? NOT_STORED) : item,
  );
}

/**
 * Stores checked files none of which may stand below another one, where the storage would let them: first those that are below
 * none, then those below what was refused. What was stored, or may have been, stands in the way of what is below it.
 */
async function putApart(
  context: VolumeContext,
  files: readonly VolumeUpload[],
  call: VolumeCall,
): Promise<readonly Stored[]> {
  const outcomes = new Map<VolumeUpload, Stored>();
  const standing = new Set<string>();
  for (let waiting = files; waiting.length > 0;) {
    const paths = new Set(waiting.map(([path]) => path));
    const next = waiting.filter((file) => !isBelow(file, paths));
    const stored = await putAll(context, next, call);
    for (const [n, file] of next.entries()) {
      // One that the volume gave no answer for must not be asked for again and again.
      const outcome = stored[n] ?? NOT_STORED;
      outcomes.set(file, outcome);
      if (outcome.status === "fulfilled" || isUncertain(outcome.reason)) standing.add(file[0]);
    }
    for (const file of waiting)
      if (!outcomes.has(file) && isBelow(file, standing))
        outcomes.set(file, { status: "rejected", reason: new VolumeError("not_directory") });
    waiting = waiting.filter((file) => !outcomes.has(file));
  }
  return files.map((file) => outcomes.get(file) ?? NOT_STORED);
}

function isBelow([path]: VolumeUpload, others: ReadonlySet<string>): boolean {
  return ancestorsOf(path).some((ancestor) => others.has(ancestor));
}

/** Of a file that a batch of the volume left without an answer. */
const NOT_STORED: PromiseRejectedResult = {
  status: "rejected",
  reason: new VolumeError("unavailable"),
};

/** Stores checked files: by the volume's batch where it has one, else a few at a time. */
async function putAll(
  { volume, queue, concurrency }: VolumeContext,
  files: readonly VolumeUpload[],
  call: VolumeCall,
): Promise<readonly Stored[]> {
  if (files.length > 1 && volume.putMany !== undefined) {
    // A batch that fails as a whole fails for each of its files.
    const batch = await outcomeOf(async () => {
      refuseAborted(call.signal);
      return volume.putMany?.(files, call);
    });
    if (batch.status === "rejected") return files.map(() => batch);
    if (batch.value !== undefined) return batch.value;
  }
  return mapConcurrently(files, concurrency, ([path, bytes, condition]) =>
    // In a row per path, so that the last of two uploads to one path is the one that stays.
    outcomeOf(() =>
      queue.run(
        path,
        async () => {
          refuseAborted(call.signal);
          return volume.put(path, bytes, { ...condition, signal: call.signal });
        },
        call.signal,
      ),
    ),
  );
}
