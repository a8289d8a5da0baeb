import { optionsOf } from "@fs/protocol/async";
import type {
  ErrorCode,
  ExecuteOptions,
  ExecuteResponse,
  ForeignTransfer,
  MaybePromise,
  SandboxBackendProtocolV2,
} from "@fs/protocol";
import {
  canonicalPath,
  checkedConfiguration,
  VolumeBackend,
  VolumeError,
  type VolumeBackendOptions,
  type VolumeCall,
} from "@fs/protocol/author";
import { TransferringBackend } from "./transferring-backend.js";
import { sandboxVolume } from "./sandbox-volume.js";

export interface BaseSandboxOptions extends VolumeBackendOptions {
  /** The directory of the sandbox that is `/` of the filesystem. Default `/`: paths are those that commands see. */
  rootDir?: string;
}

/**
 * Turns three things that every sandbox has — run a command, send a file, fetch a file — into the whole protocol. A subclass
 * that was written for `deepagents`, with `execute`, `uploadFiles` and `downloadFiles`, works as it is.
 *
 * Commands need `/bin/sh` with GNU or BusyBox tools, and a writable `/tmp`. No path, pattern or content is ever part of a
 * command as written. Files are versioned by their SHA-256; creates are exclusive, edits compare-and-swap under a lock in
 * the sandbox, and replacing is atomic. Links in the sandbox are the sandbox's own: followed by name, and not listed.
 *
 * @example
 * class MySandbox extends BaseSandbox {
 *   readonly id = "my-sandbox";
 *   execute(command: string, options: ExecuteOptions = {}) { … }
 *   protected async sendFile(path: string, bytes: Uint8Array) { … }
 *   protected async fetchFile(path: string) { … }
 * }
 */
export abstract class BaseSandbox extends TransferringBackend implements SandboxBackendProtocolV2 {
  /** Identifies the sandbox. */
  abstract readonly id: string;
  /** For agents: how commands run here, and where the files of the other tools are for them. */
  get executeDescription(): string {
    return describeExecution(this.#root);
  }
  readonly #root: string;

  /** Throws a TypeError for a `rootDir` that is not an absolute path. */
  constructor(options: BaseSandboxOptions = {}) {
    checkedConfiguration(
      "the sandbox",
      options,
      { rootDir: "text", maxFileBytes: "count" },
      "open",
    );
    const root = canonicalPath(options.rootDir ?? "/");
    if (root.failure !== undefined) throw new TypeError(root.failure.error);
    // The volume is made before there is a `this`; it calls through this holder.
    const self: { sandbox?: BaseSandbox } = {};
    const sandbox = (): BaseSandbox => {
      if (self.sandbox === undefined)
        throw new TypeError("The sandbox is still being constructed.");
      return self.sandbox;
    };
    const channel = {
      execute: (command: string, executeOptions: ExecuteOptions) =>
        sandbox().execute(command, executeOptions),
      sendFile: (path: string, bytes: Uint8Array, call: VolumeCall) =>
        sandbox().sendFile(path, bytes, call),
      fetchFile: (path: string, call: VolumeCall) => sandbox().fetchFile(path, call),
    };
    super(sandboxVolume(channel, root.path === "/" ? "" : root.path), options);
    self.sandbox = this;
    this.#root = root.path;
  }

  /** Runs a shell command. Must answer also when it fails, with what went wrong in `error` and `code`. */
  abstract execute(command: string, options?: ExecuteOptions): MaybePromise<ExecuteResponse>;

  /**
   * Stores bytes at an absolute path of the sandbox. Its directory, below `/tmp`, exists. May throw. Default: by the
   * subclass's own `uploadFiles`, as in a subclass that was written for `deepagents`.
   */
  protected async sendFile(path: string, bytes: Uint8Array, call: VolumeCall): Promise<void> {
    if (this.uploadFiles === VolumeBackend.prototype.uploadFiles) throw noTransfer("sendFile");
    const [response] = await this.uploadFiles([[path, bytes]], optionsOf(call.signal));
    if (response === undefined) throw new VolumeError("unavailable");
    if (response.error !== null) throw new VolumeError(codeOf(response));
  }

  /**
   * The bytes of a file at an absolute path of the sandbox; `undefined` where there is none. May throw. Default: by the
   * subclass's own `downloadFiles`.
   */
  protected async fetchFile(path: string, call: VolumeCall): Promise<Uint8Array | undefined> {
    if (this.downloadFiles === VolumeBackend.prototype.downloadFiles) throw noTransfer("fetchFile");
    const [response] = await this.downloadFiles([path], optionsOf(call.signal));
    if (response === undefined) throw new VolumeError("unavailable");
    if (response.error === null && response.content !== null) return response.content;
    const code = codeOf(response);
    if (code === "not_found") return undefined;
    throw new VolumeError(code);
  }
}

/** What a sandbox that can move no bytes answers; a subclass forgot them. */
function noTransfer(name: "sendFile" | "fetchFile"): VolumeError {
  return new VolumeError(
    "unsupported",
    `This sandbox cannot move files: its class has neither '${name}' nor '${name === "sendFile" ? "uploadFiles" : "downloadFiles"}'.`,
  );
}

function describeExecution(root: string): string {
  const how = "Commands run with /bin/sh in a sandbox.";
  return root === "/"
    ? `${how} A path means the same to them and to the file tools.`
    : `${how} The directory ${root} of the sandbox is / for the file tools: their /src/a.ts is ${root}/src/a.ts in a command.`;
}

/** The code behind a failed transfer; `deepagents` knows four words for it. */
function codeOf({ code, error }: ForeignTransfer): ErrorCode {
  if (code !== undefined) return code;
  if (error === "file_not_found") return "not_found";
  return error ?? "unavailable";
}
