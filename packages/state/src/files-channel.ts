import { DeltaChannel } from "@langchain/langgraph";
import type { FilesRecord } from "./file-data.js";
import { reduceFiles, type FilesInput } from "./reducer.js";

/**
 * Supersteps between two snapshots of the files, at most. An agent rebuilds the files twice per turn, from all checkpoints back
 * to the last snapshot: with this bound a turn loads fewer than 40 checkpoints, however old its thread is.
 */
export const MAX_SUPERSTEPS = 16;
/** Bytes that snapshots may add to a superstep on average: files of this size are stored with every superstep. */
const BYTES_PER_SUPERSTEP = 4096;
/** What is counted for a file beside its path and content. */
const BYTES_OF_A_FILE = 150;

/**
 * The channel of the `files` field: LangGraph's delta channel, with a snapshot the sooner the smaller the files are.
 *
 * LangGraph counts updates, and a snapshot of its own is due after 5,000 supersteps without one. Here every superstep counts as
 * an update once there are files, so that its counter, which is kept with each checkpoint, counts supersteps. Until then an
 * update that changes nothing is none: the channel gets no version, and LangGraph rebuilds nothing.
 */
class FilesChannel extends DeltaChannel<FilesRecord, FilesInput> {
  readonly #limit: number;
  #used: boolean;

  constructor(limit: number, initial: () => FilesRecord, stored: unknown) {
    super(reduceFiles, { snapshotFrequency: limit, initialValueFactory: initial });
    this.#limit = limit;
    this.#used = stored !== undefined;
    Object.defineProperty(this, "snapshotFrequency", { get: () => this.#frequency() });
  }

  override fromCheckpoint(stored?: FilesRecord): this {
    return loaded(this as unknown as DeltaChannel, this.#limit, stored) as this;
  }

  override replayWrites(...parameters: Parameters<DeltaChannel["replayWrites"]>): void {
    super.replayWrites(...parameters);
    // What is rebuilt has a version. A snapshot spares the next run the walk.
    this.#used = true;
  }

  override update(values: FilesInput[]): boolean {
    const before = this.value;
    if (super.update(values) && this.value !== before) this.#used = true;
    return this.#used;
  }

  #frequency(): number {
    const bytes = bytesUpTo(this.value, this.#limit * BYTES_PER_SUPERSTEP);
    return Math.min(this.#limit, Math.max(1, Math.ceil(bytes / BYTES_PER_SUPERSTEP)));
  }
}

const original = DeltaChannel.prototype.fromCheckpoint;

/** The channel as a checkpoint has it: a stored value, or what comes before any. */
function loaded(channel: DeltaChannel, limit: number, stored: unknown): FilesChannel {
  const { value } = original.call(channel, stored);
  const initial = channel.initialValueFactory as () => FilesRecord;
  const files = new FilesChannel(limit, initial, stored);
  files.value = value as FilesRecord;
  return files;
}

let installed = false;

/**
 * Makes LangGraph load this package's fields into a {@link FilesChannel}. A graph creates the channel of a `DeltaValue` itself
 * and leaves no choice of its class, so the one method that every load goes through is extended, for channels with our reducer
 * and for no others.
 */
export function installFilesChannel(): void {
  if (installed) return;
  installed = true;
  DeltaChannel.prototype.fromCheckpoint = function (
    this: DeltaChannel,
    stored?: unknown,
  ): DeltaChannel {
    if (this.reducer !== reduceFiles) return original.call(this, stored);
    return loaded(this, this.snapshotFrequency, stored) as unknown as DeltaChannel;
  };
}

const sizes = new WeakMap<FilesRecord, number>();

/** The bytes of the files, or something over the limit where they are more. */
function bytesUpTo(files: FilesRecord | undefined, limit: number): number {
  if (files === undefined) return 0;
  let bytes = sizes.get(files);
  if (bytes !== undefined) return bytes;
  bytes = 0;
  for (const path in files) {
    bytes += path.length + BYTES_OF_A_FILE + lengthOf(files[path]?.content);
    if (bytes > limit) break;
  }
  sizes.set(files, bytes);
  return bytes;
}

function lengthOf(content: unknown): number {
  if (typeof content === "string" || content instanceof Uint8Array) return content.length;
  return Array.isArray(content)
    ? content.reduce<number>((sum, line) => sum + lengthOf(line), 0)
    : 0;
}
