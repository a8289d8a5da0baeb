import { givenPath } from "../errors/messages.js";
import { tooLarge } from "../call/arguments.js";
import { batchFailure } from "../call/batch-failure.js";
import { checkedOptions } from "../call/options.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { VolumeError } from "../errors/volume-error.js";
import type { VolumeUpload } from "../spi/volume.js";
import type { CallOptions, UploadCondition } from "../types/options.js";
import type { FileUploadResponse } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { storeFiles } from "./store-files.js";
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
  const stored = await outcomeOf(() => {
    // A call that is refused as a whole is so for each of its files.
    if (call.status === "rejected") throw call.reason;
    const accepted = given.flatMap((file) =>
      file.accepted.status === "fulfilled" ? [file.accepted.value] : [],
    );
    return storeFiles(context, accepted, call.value);
  });
  let next = 0;
  return given.map(({ path, accepted }) => {
    if (accepted.status === "rejected")
      return { path: givenPath(path), ...failureOf(accepted, path, host) };
    const outcome = stored.status === "rejected" ? stored : stored.value[next++];
    if (outcome?.status !== "fulfilled")
      return { path: givenPath(path), ...failureOf(outcome, path, host) };
    const { version, writeId } = outcome.value ?? {};
    const facts = storedFacts(version, accepted.value[1].length);
    const named = writeId === undefined ? {} : { writeId };
    return { path: givenPath(path), error: null, ...facts, ...named };
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
