import { givenPath } from "../errors/messages.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { refuseAborted } from "../concurrency/refuse-aborted.js";
import type { VolumeCall, VolumeFile } from "../spi/volume.js";
import type { CallOptions } from "../types/options.js";
import type { FileDownloadResponse } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { getFile, missing } from "./find.js";
import { type BatchHost, failureOf } from "./upload-batch.js";

/** Fetches whole files; answers in input order. */
export async function downloadBatch(
  context: VolumeContext,
  paths: unknown,
  call: PromiseSettledResult<CallOptions>,
  host: BatchHost,
): Promise<FileDownloadResponse[]> {
  if (!Array.isArray(paths)) return [];
  const given: unknown[] = Array.from(paths);
  const checked = await Promise.all(
    given.map((path) =>
      outcomeOf(async () => {
        if (call.status === "rejected") throw call.reason;
        return host.filePath(path);
      }),
    ),
  );
  const wanted = checked.flatMap((item) => (item.status === "fulfilled" ? [item.value] : []));
  const fetched = call.status === "fulfilled" ? await getAll(context, wanted, call.value) : [];
  let next = 0;
  return checked.map((item, index): FileDownloadResponse => {
    const path = givenPath(given[index]);
    const outcome = item.status === "fulfilled" ? fetched[next++] : item;
    if (outcome?.status === "fulfilled") {
      const { bytes, version, writeId } = outcome.value;
      const named = writeId === undefined ? {} : { writeId };
      return { path, content: new Uint8Array(bytes), error: null, version, ...named };
    }
    return { path, content: null, ...failureOf(outcome, given[index], host) };
  });
}

/** Fetches files by the volume's batch where it has one, else a few at a time. What is no file is `not_found` or `is_directory`. */
export async function getAll(
  context: VolumeContext,
  paths: readonly string[],
  call: VolumeCall,
): Promise<ReadonlyArray<PromiseSettledResult<VolumeFile>>> {
  const { volume, concurrency } = context;
  const fetched = await outcomeOf(async () => {
    refuseAborted(call.signal);
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
