import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { FilesystemBackend, type FilesystemBackendOptions } from "@fs/disk";
import type { ExecuteOptions, ExecuteResponse, SandboxBackendProtocolV2 } from "@fs/protocol";
import { failureFromThrown } from "@fs/protocol/author";
import { commandRefusal, timeoutRefusal } from "../command/check-command.js";
import { runCommand } from "../command/run-command.js";
import { commandEnvironment, type EnvironmentOptions } from "./command-environment.js";

export interface LocalShellBackendOptions extends FilesystemBackendOptions, EnvironmentOptions {
  /** Another name for `rootDir`. */
  workingDirectory?: string;
  /** Seconds that a command may take; 0 means no limit. Default 120. */
  timeout?: number;
  /** Bytes of output that are kept, half of them from its start and half from its end. Default 100,000. */
  maxOutputBytes?: number;
}

/**
 * A directory of the host, and its shell.
 *
 * **It confines nothing.** A command runs as your own user and can read, change and send whatever you can, whatever
 * `virtualMode` or permission rules say of paths. For anything but your own trusted work use {@link BubblewrapSandbox}.
 *
 * @example
 * const backend = new LocalShellBackend({ rootDir: "./project" });
 * const { output, exitCode } = await backend.execute("npm test", { timeout: 60 });
 */
export class LocalShellBackend extends FilesystemBackend implements SandboxBackendProtocolV2 {
  /** For agents: what they are told of this backend. */
  static readonly description =
    "Commands run on the host as its user, without any isolation, in the root directory of the filesystem.";
  readonly id = `local-${randomUUID()}`;
  readonly #directory: string;
  readonly #env: Record<string, string>;
  readonly #timeout: number;
  readonly #maxOutputBytes: number;

  constructor(options: LocalShellBackendOptions = {}) {
    const { workingDirectory, rootDir = workingDirectory ?? process.cwd() } = options;
    super({ ...options, rootDir });
    // With host paths the served root is the host's own, and commands still start in `rootDir`.
    this.#directory = options.virtualMode === false ? resolve(rootDir) : this.hostRoot;
    this.#env = commandEnvironment(options, this.#directory);
    this.#timeout = options.timeout ?? 120;
    this.#maxOutputBytes = options.maxOutputBytes ?? 100_000;
  }

  /**
   * Runs a command with `/bin/sh` in the root directory. Standard output and error come as they are written, input is
   * closed, and what the command leaves running is killed when it ends; start a service that must stay with `setsid`.
   *
   * @returns `output`, `exitCode` (`null` when a signal ended it) and `truncated`; `code` is `timeout`, `aborted`,
   * `invalid_argument` or `unavailable` when it did not end by itself.
   */
  async execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    const timeout = options.timeout ?? this.#timeout;
    const refused = commandRefusal(command) ?? timeoutRefusal(timeout);
    if (refused !== undefined) return refused;
    try {
      await mkdir(this.#directory, { recursive: true });
    } catch (error) {
      const { code } = failureFromThrown(error, "/");
      return {
        output: "",
        exitCode: null,
        truncated: false,
        error: "The working directory is not available.",
        code,
      };
    }
    return runCommand({
      file: "/bin/sh",
      // Both streams through one pipe, so that they interleave as they were written.
      args: ["-c", `exec 2>&1\n${command}`],
      cwd: this.#directory,
      env: this.#env,
      timeout,
      maxOutputBytes: this.#maxOutputBytes,
      signal: options.signal,
    });
  }
}
