import { givenPath } from "../errors/messages.js";
import { tooLarge } from "../call/arguments.js";
import { batchFailure } from "../call/batch-failure.js";
import { checkedOptions } from "../call/options.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { refuseAborted } from "../concurrency/refuse-aborted.js";
import { isUncertain } from "../errors/certainty.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { VolumeError } from "../errors/volume-error.js";
import { ancestorsOf } from "../paths/segments.js";
import type { VolumeCall, VolumePut, VolumeUpload } from "../spi/volume.js";
import type { CallOptions, UploadCondition } from "../types/options.js";
import type { FileUploadResponse } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { collisionCheckOf } from "./find.js";
import { storedFacts } from "./write-file.js";

/** How a batch reads its paths, and where the errors of single files go. */
export interface BatchHost {
  /** The canonical form of a path. Throws `invalid_path`, `is_directory`. */
  readonly filePath: (path: unknown) => string;
  /** Called with every unexpected error of a single file. */
  readonly onError: (error: unknown, path: unknown) => void;
}

/** One file of an upload as it was passed, checked as far as that needs no storage. */
interface Given {
  /** As the caller wrote it. */
  readonly path: unknown;
  readonly accepted: PromiseSettledResult<VolumeUpload>;
}

/** Stores whole files, each on its condition, else replacing; answers in input order. */
export async function uploadBatch(
  context: VolumeContext,
  files: unknown,
  call: PromiseSettledResult<CallOptions>,
  host: BatchHost,
): Promise<FileUploadResponse[]> {
  if (!Array.isArray(files)) return [];
  // Before anything is awaited: the caller may change its buffers as soon as it has the promise.
  const given = Array.from(files, (file: unknown) => givenFile(file, context.maxFileBytes, host));
  const batch = new Set(
    given.flatMap(({ accepted }) => (accepted.status === "fulfilled" ? [accepted.value[0]] : [])),
  );
  const refuseCollision = await outcomeOf(async () =>
    call.status === "fulfilled"
      ? collisionCheckOf(context.volume, [...batch], call.value)
      : undefined,
  );
  /** What needs no look at the storage. */
  const acceptedOf = ({ accepted }: Given): VolumeUpload => {
    if (accepted.status === "rejected") throw accepted.reason;
    if (call.status === "rejected") throw call.reason;
    // A look that fails as a whole fails for each of its files.
    if (refuseCollision.status === "rejected") throw refuseCollision.reason;
    refuseAborted(call.value.signal);
    return accepted.value;
  };
  const look = refuseCollision.status === "fulfilled" ? refuseCollision.value : undefined;
  const checked =
    look === undefined
      ? given.map((file) => settled(() => acceptedOf(file)))
      : await mapConcurrently(given, context.concurrency, (file) =>
          outcomeOf(async () => {
            const accepted = acceptedOf(file);
            await look(accepted[0]);
            return accepted;
          }),
        );
  const pending = checked.flatMap((item) => (item.status === "fulfilled" ? [item.value] : []));
  const put = look === undefined ? putAll : putApart;
  const stored = call.status === "fulfilled" ? await put(context, pending, call.value) : [];
  let next = 0;
  return checked.map((item, index) => {
    const path = given[index]?.path;
    const outcome = item.status === "fulfilled" ? stored[next++] : item;
    if (outcome?.status === "fulfilled" && item.status === "fulfilled") {
      const facts = storedFacts(outcome.value?.version, item.value[1].length);
      return { path: givenPath(path), error: null, ...facts };
    }
    return { path: givenPath(path), ...failureOf(outcome, path, host) };
  });
}

function givenFile(file: unknown, maxFileBytes: number, { filePath }: BatchHost): Given {
  let path: unknown;
  try {
    const [first, bytes, condition] = Array.isArray(file) ? (file as unknown[]) : [];
    path = first;
    const canonical = filePath(path);
    if (!(bytes instanceof Uint8Array))
      throw new VolumeError("invalid_argument", "The content of an upload must be a Uint8Array.");
    if (bytes.byteLength > maxFileBytes) throw tooLarge(canonical, maxFileBytes);
    const accepted = [canonical, new Uint8Array(bytes), conditionOf(condition)] as const;
    return { path, accepted: { status: "fulfilled", value: accepted } };
  } catch (reason) {
    return { path, accepted: { status: "rejected", reason } };
  }
}

const CONDITION = { ifAbsent: "flag", ifVersion: "version" } as const;

function conditionOf(condition: unknown): UploadCondition | undefined {
  if (condition === undefined || condition === null) return undefined;
  if (typeof condition !== "object")
    throw new VolumeError("invalid_argument", "The condition of an upload must be an object.");
  return checkedOptions<UploadCondition>("uploadFiles", CONDITION, condition);
}

/** How a task that waits for nothing ended. */
function settled<T>(task: () => T): PromiseSettledResult<T> {
  try {
    return { status: "fulfilled", value: task() };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}

/**
 * Stores checked files none of which may stand below another one, where the storage would let them: first those that are below
 * none, then those below what was refused. What was stored, or may have been, stands in the way of what is below it.
 */
async function putApart(
  context: VolumeContext,
  files: readonly VolumeUpload[],
  call: VolumeCall,
): Promise<ReadonlyArray<PromiseSettledResult<VolumePut | undefined>>> {
  const outcomes = new Map<VolumeUpload, PromiseSettledResult<VolumePut | undefined>>();
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
export async function putAll(
  { volume, queue, concurrency }: VolumeContext,
  files: readonly VolumeUpload[],
  call: VolumeCall,
): Promise<ReadonlyArray<PromiseSettledResult<VolumePut | undefined>>> {
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

/** The failure of one file of a batch, reported to the operator where it is unexpected. */
export function failureOf(
  outcome: PromiseSettledResult<unknown> | undefined,
  path: unknown,
  { onError }: BatchHost,
): ReturnType<typeof batchFailure> {
  const thrown: unknown =
    outcome?.status === "rejected" ? outcome.reason : new VolumeError("unavailable");
  if (!VolumeError.isInstance(thrown) || thrown.cause !== undefined) onError(thrown, path);
  return batchFailure(failureFromThrown(thrown, path).code);
}
