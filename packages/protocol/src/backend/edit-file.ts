import { delay } from "../concurrency/delay.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { classifyFile } from "../text/classify.js";
import type { VolumeEdit } from "../spi/volume.js";
import { applyEdits, type Replacement } from "../text/edit.js";
import { editFailure } from "../text/edit-refusal.js";
import { isMediaPath } from "../text/mime.js";
import type { MutationOptions } from "../types/options.js";
import type { EditResult } from "../types/results.js";
import { boundedBytes } from "../call/arguments.js";
import type { VolumeContext } from "./context.js";
import { getFile, missing } from "./find.js";
import { storedFacts } from "./write-file.js";

/** Lost rounds after which an edit gives up. Enough for scores of clients on one file. */
const MAX_ROUNDS = 100;
/** The longest pause between two rounds, in milliseconds. */
const MAX_PAUSE = 40;

/**
 * Applies replacements as a compare-and-swap on the file's version, again and again while others get in between and they
 * still apply. Throws `no_match`, `not_unique`, `not_text`, `conflict`, `not_found`, `is_directory`, `too_large`.
 */
export async function editFile(
  context: VolumeContext,
  path: string,
  edits: readonly Replacement[],
  options: MutationOptions,
): Promise<EditResult> {
  const { volume, queue, maxFileBytes } = context;
  if (isMediaPath(path)) await refuseMedia(context, path, options);
  return queue.run(
    path,
    async () => {
      const pushed = await volume.edit?.(path, edits, { ...options, maxBytes: maxFileBytes });
      if (pushed !== undefined) return editResult(path, pushed);
      for (let round = 0; round < MAX_ROUNDS; round++) {
        if (round > 0) await pause(round, options.signal);
        const edited = await editOnce(context, path, edits, options, round > 0);
        if (edited !== undefined) return editResult(path, edited);
      }
      throw new VolumeError("conflict");
    },
    options.signal,
  );
}

function editResult(path: string, { occurrences, version, size }: VolumeEdit): EditResult {
  return { path, occurrences, ...storedFacts(version, size) };
}

/** One round, or `undefined` when another call changed the file in between. */
async function editOnce(
  { volume, maxFileBytes }: VolumeContext,
  path: string,
  edits: readonly Replacement[],
  options: MutationOptions,
  raced: boolean,
): Promise<VolumeEdit | undefined> {
  const file = await getFile(volume, path, options);
  if (file === undefined) throw await missing(volume, path, options);
  if (options.ifVersion !== undefined && options.ifVersion !== file.version)
    throw new VolumeError("conflict");
  const content = classifyFile(path, file);
  if (content.kind === "binary") throw notText(path, content.mimeType);
  const outcome = applyEdits(content.text, edits);
  if (outcome.refusal !== undefined) {
    if (raced) throw new VolumeError("conflict");
    const refused = editFailure(path, outcome.refusal, edits, outcome.text);
    throw new VolumeError(refused.code, refused.error);
  }
  const bytes = boundedBytes(path, outcome.text, maxFileBytes);
  try {
    const stored = await volume.put(path, bytes, {
      ifVersion: file.version,
      signal: options.signal,
    });
    const { occurrences } = outcome;
    return { occurrences, version: stored?.version, size: bytes.length };
  } catch (error) {
    const lost = VolumeError.isInstance(error) && error.code === "conflict";
    if (lost && options.ifVersion === undefined) return undefined;
    throw error;
  }
}

async function refuseMedia(
  context: VolumeContext,
  path: string,
  options: MutationOptions,
): Promise<never> {
  const file = await getFile(context.volume, path, options);
  if (file === undefined) throw await missing(context.volume, path, options);
  throw notText(path, classifyFile(path, file).mimeType);
}

function notText(path: string, mimeType: string): VolumeError {
  return new VolumeError(
    "not_text",
    `${quote(path)} is not a text file (${mimeType}), so it cannot be edited.`,
  );
}

function pause(round: number, signal: AbortSignal | undefined): Promise<void> {
  const longest = Math.min(MAX_PAUSE, 2 ** Math.min(round, 10));
  return delay(Math.random() * longest, signal);
}
