import type {
  ExecuteOptions,
  ExecuteResponse,
  MaybePromise,
  SandboxBackendProtocolV2,
} from "@fs/protocol";
import {
  canonicalPath,
  VolumeBackend,
  type VolumeBackendOptions,
  type VolumeCall,
} from "@fs/protocol/author";
import { SandboxVolume } from "./sandbox-volume.js";

export interface BaseSandboxOptions extends Omit<VolumeBackendOptions, "resolvePath"> {
  /** The directory of the sandbox that is `/` of the filesystem. Default `/`: paths are those that commands see. */
  root?: string;
}

/**
 * Turns three things that every sandbox has — run a command, send a file, fetch a file — into the whole protocol.
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
export abstract class BaseSandbox extends VolumeBackend implements SandboxBackendProtocolV2 {
  /** Identifies the sandbox. */
  abstract readonly id: string;

  /** Throws a TypeError for a root that is not an absolute path. */
  constructor(options: BaseSandboxOptions = {}) {
    const root = canonicalPath(options.root ?? "/");
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
    super(new SandboxVolume(channel, root.path === "/" ? "" : root.path), options);
    self.sandbox = this;
  }

  /** Runs a shell command. Must answer also when it fails, with what went wrong in `error` and `code`. */
  abstract execute(command: string, options?: ExecuteOptions): MaybePromise<ExecuteResponse>;

  /** Stores bytes at an absolute path of the sandbox. Its directory, below `/tmp`, exists. May throw. */
  protected abstract sendFile(path: string, bytes: Uint8Array, call: VolumeCall): Promise<void>;

  /** The bytes of a file at an absolute path of the sandbox; `undefined` where there is none. May throw. */
  protected abstract fetchFile(path: string, call: VolumeCall): Promise<Uint8Array | undefined>;
}
