import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type {
  CallOptions,
  ExecuteOptions,
  ExecuteResponse,
  FileDownloadResponse,
  FileUploadResponse,
  UploadFile,
} from "@fs/protocol";
import {
  checkedConfiguration,
  failureFromThrown,
  VolumeError,
  type VolumeCall,
} from "@fs/protocol/author";
import { checkedCall, failedCommand, isRefused } from "../command/check-command.js";
import { runCommand } from "../command/run-command.js";
import type { Program } from "../command/start-program.js";
import { transfer, type Transferred } from "../command/transfer.js";
import { BaseSandbox, type BaseSandboxOptions } from "../sandbox/base-sandbox.js";
import {
  bubblewrapSettings,
  limitPrelude,
  WORKSPACE,
  type ResourceLimits,
} from "./bubblewrap-arguments.js";
import { findBubblewrap } from "./find-bubblewrap.js";

export interface BubblewrapSandboxOptions extends BaseSandboxOptions {
  /** Host directory that is `/workspace` in the sandbox, the only one that lasts. Made if it is missing. */
  workspace: string;
  /** Host paths shown read-only at the same place. Default: none but the system's programs. */
  readOnly?: readonly string[];
  /** Share the host's network. Default `false`: not even its loopback. */
  network?: boolean;
  /** Variables of commands beside PATH, HOME and LANG. Nothing of this process's environment is passed on. */
  env?: Record<string, string>;
  /** Seconds that a command may take; 0 means no limit. Default 120. */
  timeout?: number;
  /** Bytes of output that are kept. Default 100,000. */
  maxOutputBytes?: number;
  /** What one command may use up. */
  limits?: ResourceLimits;
}

/** Bytes of a file that leaves the sandbox, unless `maxFileBytes` says otherwise. */
const MAX_FETCH_BYTES = 100 * 1024 * 1024;
const OPTIONS = {
  workspace: "text",
  rootDir: "text",
  readOnly: "object",
  network: "flag",
  env: "object",
  timeout: "count",
  maxOutputBytes: "count",
  limits: "object",
  writeMode: ["create", "overwrite"],
  maxFileBytes: "count",
  concurrency: "positive",
  onError: "function",
} as const;
/** Exit codes of the transfers' own commands: what `bwrap` and the shell answer themselves means something else. */
const NO_ROOM = 74;
const MISSING = 75;

/**
 * Commands and files in a Linux sandbox of their own, by `bwrap` (Debian package `bubblewrap`): its own users, processes,
 * network and view of the disk, with a workspace to write in, the system's programs to read, and nothing else.
 *
 * Where `bwrap` is missing or the kernel forbids user namespaces, every call answers `unavailable` and says why.
 *
 * @example
 * const sandbox = new BubblewrapSandbox({ workspace: "./project", limits: { memoryBytes: 2 ** 30 } });
 * await sandbox.execute("python3 analyse.py", { timeout: 60 });
 */
export class BubblewrapSandbox extends BaseSandbox {
  readonly id = `bubblewrap-${process.getBuiltinModule("node:crypto").randomUUID()}`;
  readonly #options: BubblewrapSandboxOptions;
  readonly #prelude: string;
  readonly #env: Record<string, string>;
  #started: Promise<Sandbox> | undefined;

  /** Throws a TypeError without a workspace, for an unknown option, one of the wrong type, and a limit that is no whole number. */
  constructor(options: BubblewrapSandboxOptions) {
    checkedConfiguration("BubblewrapSandbox", options, OPTIONS);
    if (options.workspace === undefined)
      throw new TypeError("BubblewrapSandbox needs the option 'workspace'.");
    super(options);
    this.#options = options;
    this.#prelude = limitPrelude(options.limits ?? {});
    this.#env = {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: WORKSPACE,
      LANG: "C.UTF-8",
      ...options.env,
    };
  }

  override get executeDescription(): string {
    const network = this.#options.network === true ? "the network of its host" : "no network";
    return `${super.executeDescription} They start in ${WORKSPACE}, the only directory that lasts, and have ${network}.`;
  }

  /** Runs a command with `/bin/sh` in `/workspace`. Never rejects; the codes are those of `LocalShellBackend.execute`. */
  async execute(command: string, options?: ExecuteOptions): Promise<ExecuteResponse> {
    const checked = checkedCall(command, options, this.#options.timeout ?? 120);
    if (isRefused(checked)) return checked;
    let sandbox: Sandbox;
    try {
      sandbox = await this.#start();
    } catch (error) {
      const { code, error: sentence } = failureFromThrown(error, WORKSPACE);
      return failedCommand(code, sentence);
    }
    return runCommand({
      ...this.#program(sandbox, `exec 2>&1\n${this.#prelude}\n${command}`),
      maxOutputBytes: this.#options.maxOutputBytes ?? 100_000,
      ...checked,
    });
  }

  /** Stores files; answers in input order. */
  override async uploadFiles(
    files: UploadFile[],
    options?: CallOptions,
  ): Promise<FileUploadResponse[]> {
    // The backend's own answers: only the base class allows for those of a subclass.
    return (await super.uploadFiles(files, options)) as FileUploadResponse[];
  }

  /** Fetches files; answers in input order. */
  override async downloadFiles(
    paths: string[],
    options?: CallOptions,
  ): Promise<FileDownloadResponse[]> {
    return (await super.downloadFiles(paths, options)) as FileDownloadResponse[];
  }

  protected override async sendFile(
    path: string,
    bytes: Uint8Array,
    call: VolumeCall,
  ): Promise<void> {
    const command = `cat >"$0" || exit ${NO_ROOM}`;
    const { exitCode } = await this.#transfer(command, path, 0, call, bytes);
    if (exitCode === NO_ROOM) throw new VolumeError("quota_exceeded");
    if (exitCode !== 0) throw new VolumeError("unavailable");
  }

  protected override async fetchFile(
    path: string,
    call: VolumeCall,
  ): Promise<Uint8Array | undefined> {
    const maxBytes = this.#options.maxFileBytes ?? MAX_FETCH_BYTES;
    const command = `[ -f "$0" ] || exit ${MISSING}; exec cat <"$0"`;
    const { exitCode, bytes, tooMuch } = await this.#transfer(command, path, maxBytes, call);
    if (tooMuch) throw new VolumeError("too_large");
    if (exitCode === MISSING) return undefined;
    if (exitCode !== 0) throw new VolumeError("unavailable");
    return bytes;
  }

  /** Ends the sandbox: its `/tmp` is removed, the workspace stays. */
  override async close(): Promise<void> {
    const started = this.#started;
    this.#started = undefined;
    // One that never started has left nothing.
    const sandbox = await started?.catch(() => undefined);
    if (sandbox !== undefined) await rm(sandbox.temporary, { recursive: true, force: true });
    await super.close();
  }

  async #transfer(
    command: string,
    path: string,
    maxBytes: number,
    { signal }: VolumeCall,
    input?: Uint8Array,
  ): Promise<Transferred> {
    const program = this.#program(await this.#start(), command);
    return transfer({ ...program, args: [...program.args, path], maxBytes, input, signal });
  }

  #program({ binary, workspace, temporary }: Sandbox, command: string): Program {
    const { network = false, readOnly = [] } = this.#options;
    const isolation = { workspace, temporary, readOnly, network, env: this.#env };
    return {
      file: binary,
      name: "bwrap",
      // Every user of the host can read a command line, and so can the sandbox: variables and host paths stand on neither.
      args: ["--args", "3", "--", "/bin/sh", "-c", command],
      settings: bubblewrapSettings(isolation),
      cwd: "/",
      env: {},
    };
  }

  #start(): Promise<Sandbox> {
    this.#started ??= this.#open().catch((error: unknown) => {
      // What was missing now may be there at the next call.
      this.#started = undefined;
      throw error;
    });
    return this.#started;
  }

  /** Finds `bwrap` and sees whether it may isolate here. Throws `unavailable`, which says why. */
  async #open(): Promise<Sandbox> {
    const binary = findBubblewrap();
    if (binary === undefined) {
      throw new VolumeError(
        "unavailable",
        "The sandbox needs bubblewrap, which this machine does not have. Install the package 'bubblewrap' (Linux only).",
      );
    }
    const wanted = resolve(this.#options.workspace);
    await mkdir(wanted, { recursive: true });
    const workspace = await realpath(wanted);
    const temporary = await mkdtemp(join(tmpdir(), "fs-sandbox-"));
    const sandbox = { binary, workspace, temporary };
    try {
      const { exitCode } = await transfer({ ...this.#program(sandbox, "exit 0"), maxBytes: 0 });
      if (exitCode === 0) return sandbox;
      throw new VolumeError(
        "unavailable",
        "The sandbox could not be started: this machine does not let bubblewrap make user namespaces.",
      );
    } catch (error) {
      await rm(temporary, { recursive: true, force: true });
      throw error;
    }
  }
}

interface Sandbox {
  readonly binary: string;
  readonly workspace: string;
  readonly temporary: string;
}
