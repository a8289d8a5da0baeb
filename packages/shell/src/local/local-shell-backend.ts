import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { FilesystemBackend, type FilesystemBackendOptions } from "@fs/disk";
import type { ExecuteOptions, ExecuteResponse, SandboxBackendProtocolV2 } from "@fs/protocol";
import { checkedConfiguration, failureFromThrown, quote, VolumeError } from "@fs/protocol/author";
import { checkedCall, failedCommand, isRefused } from "../command/check-command.js";
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

/** The options of {@link LocalShellBackend.create}. */
export interface LocalShellBackendCreateOptions extends LocalShellBackendOptions {
  /** Files to start with, texts by path, with or without a slash before it. Those that are there already are replaced. */
  initialFiles?: Record<string, string>;
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
  readonly id = `local-${process.getBuiltinModule("node:crypto").randomUUID()}`;
  /** For agents: how commands run here, and where the files of the other tools are for them. Names no host path. */
  readonly executeDescription: string;
  readonly #directory: string;
  readonly #env: Record<string, string>;
  readonly #timeout: number;
  readonly #maxOutputBytes: number;
  #initialized = false;

  /** Throws a TypeError for an unknown option, one of the wrong type, and an empty directory. */
  constructor(options: LocalShellBackendOptions = {}) {
    checkedConfiguration("LocalShellBackend", options, LOCAL_OPTIONS, "open");
    if ("workingDirectory" in options && options.workingDirectory === undefined)
      throw new TypeError("The option 'workingDirectory' of LocalShellBackend is undefined.");
    const { workingDirectory, timeout, maxOutputBytes, env, inheritEnv, ...files } = options;
    super(workingDirectory === undefined ? files : { ...files, rootDir: workingDirectory });
    const { rootDir = workingDirectory ?? process.cwd(), virtualMode = true } = options;
    // With host paths the served root is the host's own, and commands still start in `rootDir`.
    this.#directory = virtualMode ? this.hostRoot : resolve(rootDir);
    this.#env = commandEnvironment({ env, inheritEnv }, this.#directory);
    this.#timeout = timeout ?? 120;
    this.#maxOutputBytes = maxOutputBytes ?? 100_000;
    this.executeDescription = describeExecution(virtualMode);
  }

  /** A backend whose directory exists and holds the initial files. Rejects with a VolumeError when one cannot be stored. */
  static async create(options: LocalShellBackendCreateOptions = {}): Promise<LocalShellBackend> {
    const { initialFiles = {}, ...others } = options;
    const backend = new LocalShellBackend(others);
    await backend.initialize();
    const encoder = new TextEncoder();
    const below = (path: string): string =>
      options.virtualMode === false || path.startsWith("/") ? path : `/${path}`;
    const files = Object.entries(initialFiles).map(([path, text]): [string, Uint8Array] => [
      below(path),
      encoder.encode(text),
    ]);
    const failed = (await backend.uploadFiles(files)).find(({ error }) => error !== null);
    if (failed !== undefined) {
      const detail = `The initial file ${quote(failed.path)} was not stored.`;
      throw new VolumeError(failed.code ?? "unavailable", detail);
    }
    return backend;
  }

  /** True between {@link initialize} and {@link close}. Calls work without either: the directory is made when it is needed. */
  get isInitialized(): boolean {
    return this.#initialized;
  }

  /** The same as {@link isInitialized}. */
  get isRunning(): boolean {
    return this.#initialized;
  }

  /** Makes the directory. Rejects with the error of the system when it cannot be made; does no harm a second time. */
  async initialize(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    this.#initialized = true;
  }

  /** Frees what the backend holds. Files stay. */
  override async close(): Promise<void> {
    this.#initialized = false;
    await super.close();
  }

  /**
   * Runs a command with `/bin/sh` in the root directory. Standard output and error come as they are written, input is
   * closed, and what the command leaves running is killed when it ends; start a service that must stay with `setsid`.
   *
   * @returns `output`, `exitCode` (`null` when a signal ended it) and `truncated`; `code` is `timeout`, `aborted`,
   * `invalid_argument` or `unavailable` when it did not end by itself. Never rejects.
   */
  async execute(command: string, options?: ExecuteOptions): Promise<ExecuteResponse> {
    const checked = checkedCall(command, options, this.#timeout);
    if (isRefused(checked)) return checked;
    try {
      await mkdir(this.#directory, { recursive: true });
    } catch (error) {
      const { code } = failureFromThrown(error, "/");
      return failedCommand(code, "The working directory is not available.");
    }
    return runCommand({
      file: "/bin/sh",
      // Both streams through one pipe, so that they interleave as they were written.
      args: ["-c", `exec 2>&1\n${command}`],
      cwd: this.#directory,
      env: this.#env,
      maxOutputBytes: this.#maxOutputBytes,
      ...checked,
    });
  }
}

/** The options of this class alone; `FilesystemBackend` checks the others, and refuses unknown names. */
const LOCAL_OPTIONS = {
  workingDirectory: "text",
  timeout: "count",
  maxOutputBytes: "count",
  env: "object",
  inheritEnv: "flag",
} as const;

function describeExecution(virtualMode: boolean): string {
  const how = "Commands run with /bin/sh on the host as its user, not isolated.";
  return virtualMode
    ? `${how} They start in the directory that is / for the file tools: the tools' /src/a.ts is src/a.ts in a command, and /src/a.ts there is another file.`
    : `${how} A path means the same file to commands and to the file tools; relative ones begin at the working directory.`;
}
