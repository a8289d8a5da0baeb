import { VolumeBackend, type VolumeBackendOptions, warnOnce } from "@fs/protocol/author";
import type {
  CallOptions,
  DeleteResult,
  EditOperation,
  EditResult,
  FileData,
  FileUploadResponse,
  MutationOptions,
  TransferOptions,
  TransferResult,
  WriteResult,
} from "@fs/protocol";
import { currentActor, type Actor } from "./actor.js";
import { checkBackendOptions } from "./check-options.js";
import { ContentStore, type ContentOptions } from "./content-store.js";
import type { FileFormat } from "./file-data.js";
import { isStateRuntime, RuntimeFiles, type StateRuntime } from "./runtime-files.js";
import { StagedFiles } from "./staged-files.js";
import { stateVolume, type Workspace } from "./state-volume.js";
import type { Superstep } from "./superstep.js";
import { superstepOf } from "./supersteps.js";

export interface StateBackendOptions extends VolumeBackendOptions {
  /** The form in which files are written: strings (`"v2"`, default), or arrays of lines for older readers (`"v1"`). */
  fileFormat?: FileFormat;
  /**
   * Gives this backend a key space of its own within the `files` field: it keeps its files below the directory of this name there,
   * and sees no others. Needed where one graph works with two of these backends, such as two routes of a composite. Default: all
   * files of the field.
   */
  namespace?: string;
  /**
   * Keeps the contents of larger files outside the checkpoint, in another backend; the state then holds their hash, size and
   * times. Default: all contents are in the state. Needs the field of this package, and is not used without it.
   */
  content?: ContentOptions;
}

/**
 * Files in the `files` field of the running graph's state: they persist with the thread through its checkpointer, and
 * every agent of the run shares them.
 *
 * Outside a run, changes are staged, and the first call inside one brings them along.
 *
 * @example
 * const backend = new StateBackend();
 */
export class StateBackend extends VolumeBackend {
  readonly #runtimeFiles: RuntimeFiles | undefined;

  constructor(options?: StateBackendOptions);
  /**
   * @deprecated Pass no runtime: the backend finds the running graph by itself. Outside a run a backend built with one sends nothing; its
   * results carry `filesUpdate` for the caller to apply.
   */
  constructor(runtime: StateRuntime, options?: StateBackendOptions);
  constructor(first: StateRuntime | StateBackendOptions = {}, second: StateBackendOptions = {}) {
    const runtimeFiles = isStateRuntime(first) ? new RuntimeFiles(first) : undefined;
    const options = isStateRuntime(first) ? second : first;
    checkBackendOptions(options);
    const staged = new StagedFiles();
    const contents = options.content === undefined ? undefined : new ContentStore(options.content);
    // Within a run the graph itself is worked on, as without a runtime: an update by whole files would undo what runs beside it.
    const workspace = () =>
      runtimeFiles === undefined || currentActor() !== undefined ? open(staged) : runtimeFiles;
    const root = options.namespace === undefined ? "" : `/${options.namespace}`;
    super(
      stateVolume({ open: workspace, format: options.fileFormat ?? "v2", contents, root }),
      options,
    );
    this.#runtimeFiles = runtimeFiles;
    if (runtimeFiles !== undefined)
      warnOnce(
        "FS_DEP_STATE_RUNTIME",
        "`new StateBackend(runtime)` is deprecated: use `new StateBackend()`, which finds the running graph by itself.",
      );
  }

  override async write(
    filePath: string,
    content: string,
    options: MutationOptions = {},
  ): Promise<WriteResult> {
    return this.#withUpdate(await super.write(filePath, content, options));
  }

  override async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll = false,
    options: MutationOptions = {},
  ): Promise<EditResult> {
    return this.#withUpdate(await super.edit(filePath, oldString, newString, replaceAll, options));
  }

  override async multiEdit(
    filePath: string,
    edits: readonly EditOperation[],
    options: MutationOptions = {},
  ): Promise<EditResult> {
    return this.#withUpdate(await super.multiEdit(filePath, edits, options));
  }

  override async delete(filePath: string, options: MutationOptions = {}): Promise<DeleteResult> {
    return this.#withUpdate(await super.delete(filePath, options));
  }

  override async move(
    from: string,
    to: string,
    options: TransferOptions = {},
  ): Promise<TransferResult> {
    return this.#withUpdate(await super.move(from, to, options));
  }

  override async copy(
    from: string,
    to: string,
    options: TransferOptions = {},
  ): Promise<TransferResult> {
    return this.#withUpdate(await super.copy(from, to, options));
  }

  override async uploadFiles(
    files: Array<[string, Uint8Array]>,
    options: CallOptions = {},
  ): Promise<FileUploadResponse[] & { filesUpdate?: Record<string, FileData> }> {
    return this.#withUpdate(await super.uploadFiles(files, options));
  }

  /** For a backend with a runtime, what the caller has to apply; nothing is added otherwise. */
  #withUpdate<T extends { error?: string } | FileUploadResponse[]>(result: T): T {
    if (this.#runtimeFiles === undefined || "error" in result) return result;
    return Object.assign(result, { filesUpdate: this.#runtimeFiles.takeUpdate() });
  }
}

function open(staged: StagedFiles): Workspace | Promise<Workspace> {
  const actor = currentActor();
  if (actor === undefined) return staged;
  const step = superstepOf(actor.owner);
  return step instanceof Promise
    ? step.then(async (ready) => within(ready, actor, staged))
    : within(step, actor, staged);
}

function within(
  step: Superstep,
  actor: Actor,
  staged: StagedFiles,
): Workspace | Promise<Workspace> {
  const waits: Array<Promise<void>> = [];
  // All or none: what is not taken along stays staged.
  step.refuseClaimed(actor, staged.changes());
  for (const change of staged.take()) {
    step.viewOf(actor);
    const wait = step.acknowledge(actor, change);
    if (wait !== undefined) waits.push(wait);
  }
  const workspace: Workspace = {
    keepsReferences: () => step.replays(actor),
    view: () => step.viewOf(actor),
    acknowledge: (change) => step.acknowledge(actor, change),
  };
  return waits.length === 0 ? workspace : Promise.all(waits).then(() => workspace);
}
