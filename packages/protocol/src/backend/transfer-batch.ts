import { mapConcurrently } from "../concurrency/map-concurrently.js";
import type { ErrorCode } from "../errors/codes.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { VolumeError } from "../errors/volume-error.js";
import { ancestorsOf } from "../paths/segments.js";
import type { Volume, VolumeCall, VolumeFile } from "../spi/volume.js";
import type {
  FileDownloadResponse,
  FileOperationError,
  FileUploadResponse,
} from "../types/results.js";
import { filePathArgument, tooLarge } from "./arguments.js";
import type { VolumeContext } from "./context.js";
import { getFile, missing, refuseCollision } from "./find.js";

/** Hears of every file that failed. */
export type BatchListener = (error: unknown, path: unknown) => void;

/** Stores whole files, replacing; answers in input order. */
export async function uploadBatch(
  context: VolumeContext,
  files: ReadonlyArray<readonly [unknown, unknown]>,
  call: VolumeCall,
  onError: BatchListener,
): Promise<FileUploadResponse[]> {
  const { volume, maxFileBytes } = context;
  const standing = new Set(files.map(([path]) => path));
  // Before anything is awaited: the caller may change its buffers as soon as it has the promise.
  const given = files.map(([path, bytes]) => [path, ownBytes(bytes, maxFileBytes)] as const);
  const accepted = await mapConcurrently(given, context.concurrency, ([path, bytes]) =>
    outcomeOf(async (): Promise<readonly [string, Uint8Array]> => {
      const canonical = filePathArgument(path);
      if (bytes === "no bytes") throw new VolumeError("invalid_argument");
      if (bytes === "too many") throw tooLarge(canonical, maxFileBytes);
      await refuseCollision(volume, canonical, call);
      refuseWithinBatch(volume, canonical, standing);
      return [canonical, bytes];
    }),
  );
  const pending = accepted.flatMap((item) => (item.status === "fulfilled" ? [item.value] : []));
  const stored = await putAll(context, pending, call);
  let next = 0;
  return accepted.map((item, index) => {
    const path = files[index]?.[0];
    const outcome = item.status === "fulfilled" ? stored[next++] : item;
    return { path: String(path), ...batchError(outcome, path, onError) };
  });
}

/** A copy of what is to be stored, or why there is none. */
function ownBytes(bytes: unknown, maxBytes: number): Uint8Array | "no bytes" | "too many" {
  if (!(bytes instanceof Uint8Array)) return "no bytes";
  return bytes.length > maxBytes ? "too many" : new Uint8Array(bytes);
}

/** Two files of one batch must not collide either; the storage has seen neither yet. */
function refuseWithinBatch(volume: Volume, path: string, standing: ReadonlySet<unknown>): void {
  if ((volume.collisions ?? "checked") !== "checked") return;
  if (ancestorsOf(path).some((ancestor) => standing.has(ancestor)))
    throw new VolumeError("not_directory");
}

async function putAll(
  { volume, queue, concurrency }: VolumeContext,
  files: ReadonlyArray<readonly [string, Uint8Array]>,
  call: VolumeCall,
): Promise<ReadonlyArray<PromiseSettledResult<unknown>>> {
  if (files.length > 1 && volume.putMany !== undefined) {
    // A batch that fails as a whole fails for each of its files.
    const batch = await outcomeOf(async () => {
      refuseAborted(call);
      return volume.putMany?.(files, call) ?? [];
    });
    return batch.status === "fulfilled" ? batch.value : files.map(() => batch);
  }
  return mapConcurrently(files, concurrency, ([path, bytes]) =>
    // In a row per path, so that the last of two uploads to one path is the one that stays.
    outcomeOf(() =>
      queue.run(path, async () => {
        refuseAborted(call);
        return volume.put(path, bytes, call);
      }, call.signal),
    ),
  );
}

/** Fetches whole files; answers in input order. */
export async function downloadBatch(
  context: VolumeContext,
  paths: readonly unknown[],
  call: VolumeCall,
  onError: BatchListener,
): Promise<FileDownloadResponse[]> {
  const canonical = await mapConcurrently(paths, context.concurrency, (path) =>
    outcomeOf(async () => filePathArgument(path)),
  );
  const wanted = canonical.flatMap((item) => (item.status === "fulfilled" ? [item.value] : []));
  const fetched = await getAll(context, wanted, call);
  let next = 0;
  return canonical.map((item, index): FileDownloadResponse => {
    const path = String(paths[index]);
    const outcome = item.status === "fulfilled" ? fetched[next++] : item;
    if (outcome?.status === "fulfilled") {
      return { path, content: outcome.value.bytes.slice(), error: null };
    }
    return { path, content: null, ...batchError(outcome, paths[index], onError) };
  });
}

async function getAll(
  context: VolumeContext,
  paths: readonly string[],
  call: VolumeCall,
): Promise<ReadonlyArray<PromiseSettledResult<VolumeFile>>> {
  const { volume, concurrency } = context;
  const fetched = await outcomeOf(async () => {
    refuseAborted(call);
    return paths.length > 1 ? volume.getMany?.(paths, call) : undefined;
  });
  if (fetched.status === "rejected") return paths.map(() => fetched);
  const batch = fetched.value;
  return mapConcurrently(paths, concurrency, (path, index) =>
    outcomeOf(async () => {
      const ready = batch?.[index];
      if (ready?.status === "rejected") throw ready.reason;
      const file = ready === undefined ? await getFile(volume, path, call) : ready.value;
      if (file === undefined) throw await missing(volume, path, call);
      return file;
    }),
  );
}

/** A file that has not been begun when the signal fires is not begun. */
function refuseAborted({ signal }: VolumeCall): void {
  if (signal?.aborted === true) throw new VolumeError("aborted");
}

async function outcomeOf<T>(task: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  try {
    return { status: "fulfilled", value: await task() };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}

function batchError(
  outcome: PromiseSettledResult<unknown> | undefined,
  path: unknown,
  onError: BatchListener,
): { error: FileOperationError | null; code?: ErrorCode } {
  if (outcome?.status === "fulfilled") return { error: null };
  const thrown: unknown = outcome === undefined ? new VolumeError("unavailable") : outcome.reason;
  if (!VolumeError.isInstance(thrown) || thrown.cause !== undefined) onError(thrown, path);
  const { code } = failureFromThrown(thrown, path);
  return { error: fileOperationError(code), code };
}

const NEAREST: Readonly<Partial<Record<ErrorCode, FileOperationError>>> = {
  not_found: "file_not_found",
  is_directory: "is_directory",
  invalid_path: "invalid_path",
  invalid_argument: "invalid_path",
  not_directory: "invalid_path",
  too_large: "invalid_path",
};

/** The nearest of the four codes that a batch transfer knows. */
export function fileOperationError(code: ErrorCode): FileOperationError {
  return NEAREST[code] ?? "permission_denied";
}
