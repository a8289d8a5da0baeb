import { failure } from "../errors/messages.js";
import { encodeText, textOf } from "../text/classify.js";
import type { ErrorCode } from "../errors/codes.js";
import type { CallOptions, UploadCondition } from "../types/options.js";
import type { Failure, Outcome } from "../types/outcome.js";
import type { Filesystem } from "../types/protocol.js";
import type { FileOperationError } from "../types/results.js";
import { bytesOfFileData } from "../border/file-data.js";

/** Rounds of compare-and-swap before a call gives up; in each of them another caller has succeeded. */
const ROUNDS = 100;

/** A whole file. */
export interface LoadedFile {
  bytes: Uint8Array;
  /** For `ifVersion`. Absent where the storage has none. */
  version?: string;
}

/** The bytes and the version of a file. Fails with `not_found`, `is_directory` and whatever the backend answers. */
export async function loadFile(
  backend: Filesystem,
  path: string,
  options: CallOptions,
): Promise<Outcome<LoadedFile>> {
  if (backend.downloadFiles === undefined) {
    const raw = await backend.readRaw(path, options);
    if (raw.error !== undefined) return raw;
    return { bytes: bytesOfFileData(raw.data), ...versionOf(raw) };
  }
  const [answer] = await backend.downloadFiles([path], options);
  if (answer?.error !== null) return batchFailure(answer, path);
  return { bytes: answer.content, ...versionOf(answer) };
}

/**
 * Stores a whole file, on a condition or else replacing. Fails with `already_exists` and `conflict` where the condition is
 * not met, and with `unsupported` where the backend cannot replace files or knows no conditions.
 */
export async function storeFile(
  backend: Filesystem,
  path: string,
  bytes: Uint8Array,
  condition: UploadCondition,
  options: CallOptions,
): Promise<Outcome<{ version?: string }>> {
  const conditional = condition.ifAbsent === true || condition.ifVersion !== undefined;
  const features = backend.featuresAt?.(path) ?? backend.features ?? [];
  if (
    backend.uploadFiles === undefined ||
    (conditional && !features.includes("conditionalUploads"))
  )
    return failure("unsupported", path);
  const [answer] = await backend.uploadFiles(
    [conditional ? [path, bytes, condition] : [path, bytes]],
    options,
  );
  return answer?.error === null ? versionOf(answer) : batchFailure(answer, path);
}

/**
 * Reads, changes and writes a file so that no change of another caller is lost: the file is stored only in the version that
 * was read, and otherwise read and changed again.
 *
 * @param change The new content for the file, or for `undefined` where there is none; a failure ends the call.
 * @param seen What {@link loadFile} answered just before, which spares the first read.
 */
export async function updateFile(
  backend: Filesystem,
  path: string,
  change: (file: Uint8Array | undefined) => Uint8Array | Failure,
  options: CallOptions,
  seen?: Outcome<LoadedFile>,
): Promise<Outcome<{ version?: string }>> {
  for (let round = 1; ; round++) {
    const known = round === 1 ? seen : undefined;
    const loaded = known ?? (await loadFile(backend, path, options));
    if (loaded.error !== undefined && loaded.code !== "not_found") return loaded;
    const found = loaded.error === undefined;
    const bytes = change(found ? loaded.bytes : undefined);
    if (!(bytes instanceof Uint8Array)) return bytes;
    if (found && loaded.version === undefined) return failure("unsupported", path);
    const condition = found ? { ifVersion: loaded.version ?? "" } : { ifAbsent: true };
    const stored = await storeFile(backend, path, bytes, condition, options);
    const lost = stored.code === "conflict" || (!found && stored.code === "already_exists");
    if (!lost || round === ROUNDS) return stored;
  }
}

/**
 * As {@link updateFile}, for a text file that is there. Fails with `not_found`, and with `not_text` for bytes that are no text,
 * which stay as they are.
 */
export async function updateText(
  backend: Filesystem,
  path: string,
  change: (text: string) => string | Failure,
  options: CallOptions,
): Promise<Outcome<{ version?: string }>> {
  const changed = (file: Uint8Array | undefined): Uint8Array | Failure => {
    if (file === undefined) return failure("not_found", path);
    const text = textOf(file);
    if (text === undefined) return failure("not_text", path);
    const after = change(text);
    return typeof after === "string" ? encodeText(after) : after;
  };
  return updateFile(backend, path, changed, options);
}

const EXACT: Readonly<Partial<Record<FileOperationError, ErrorCode>>> = {
  file_not_found: "not_found",
};

/** The failure of one file of a batch, with a sentence; a missing answer says nothing of what happened. */
function batchFailure(
  answer: { error: FileOperationError | null; code?: ErrorCode } | undefined,
  path: string,
): Failure {
  if (answer === undefined || answer.error === null) return failure("unavailable", path);
  const { error, code } = answer;
  return failure(code ?? EXACT[error] ?? (error as Exclude<typeof error, "file_not_found">), path);
}

function versionOf({ version }: { version?: string }): { version?: string } {
  return version === undefined ? {} : { version };
}
