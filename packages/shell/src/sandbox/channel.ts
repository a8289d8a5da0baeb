import type { ExecuteOptions, ExecuteResponse } from "@fs/protocol";
import type { VolumeCall } from "@fs/protocol/author";

/** What a sandbox must offer; everything else is made of it. */
export interface SandboxChannel {
  execute(command: string, options: ExecuteOptions): ExecuteResponse | Promise<ExecuteResponse>;
  /** Stores bytes at an absolute path of the sandbox whose directory exists. */
  sendFile(path: string, bytes: Uint8Array, call: VolumeCall): Promise<void>;
  /** The bytes of a file, or `undefined` where there is none. */
  fetchFile(path: string, call: VolumeCall): Promise<Uint8Array | undefined>;
}
