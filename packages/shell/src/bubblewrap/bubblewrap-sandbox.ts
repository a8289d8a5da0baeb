import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ExecuteOptions, ExecuteResponse } from "@fs/protocol";
import { VolumeError, type VolumeCall } from "@fs/protocol/author";
import { commandRefusal, timeoutRefusal } from "../command/check-command.js";
import { runCommand } from "../command/run-command.js";
import { transfer, type Transferred } from "../command/transfer.js";
import { BaseSandbox, type BaseSandboxOptions } from "../sandbox/base-sandbox.js";
import {
  bubblewrapArguments,
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

/**
 * Commands and files in a Linux sandbox of their own, by `bwrap` (Debian package `bubblewrap`): its own users, processes,
 * network and view of the disk, with a workspace to write in, the system's programs to read, and nothing else.
 *
 * Where `bwrap` is missing or the kernel forbids user namespaces, every call answers `unavailable` and says why.
 *
 * @example
 * await using sandbox = new BubblewrapSandbox({ workspace: "./project", limits: { memoryMb: 1024 } });
 * await sandbox.execute("python3 analyse.py", { timeout: 60 });
 */
export class BubblewrapSandbox extends BaseSandbox {
  readonly id = `bubblewrap-${randomUUID()}`;
  readonly #options: BubblewrapSandboxOptions;
  readonly #prelude: string;
  readonly #env: Record<string, string>;
  #started: Promise<Started> | undefined;

  /** Throws a TypeError for a limit that is no whole number above 0. */
  constructor(options: BubblewrapSandboxOptions) {
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

  async execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    const timeout = options.timeout ?? this.#options.timeout ?? 120;
    const refused = commandRefusal(command) ?? timeoutRefusal(timeout);
    if (refused !== undefined) return refused;
    const started = await this.#start();
    if (typeof started === "string") {
      return {
        output: started,
        exitCode: null,
        truncated: false,
        error: started,
        code: "unavailable",
      };
    }
    return runCommand({
      ...this.#program(started, `exec 2>&1\n${this.#prelude}\n${command}`),
      cwd: "/",
      timeout,
      maxOutputBytes: this.#options.maxOutputBytes ?? 100_000,
      signal: options.signal,
    });
  }

  protected override async sendFile(
    path: string,
    bytes: Uint8Array,
    call: VolumeCall,
  ): Promise<void> {
    const { exitCode } = await this.#transfer('cat >"$0"', path, 0, call, bytes);
    if (exitCode !== 0) throw new VolumeError("quota_exceeded");
  }

  protected override async fetchFile(
    path: string,
    call: VolumeCall,
  ): Promise<Uint8Array | undefined> {
    const maxBytes = this.#options.maxFileBytes ?? MAX_FETCH_BYTES;
    const { exitCode, bytes, tooMuch } = await this.#transfer('cat <"$0"', path, maxBytes, call);
    if (tooMuch) throw new VolumeError("too_large");
    return exitCode === 0 ? bytes : undefined;
  }

  /** Ends the sandbox: its `/tmp` is removed, the workspace stays. */
  override async [Symbol.asyncDispose](): Promise<void> {
    const started = await this.#started;
    if (started !== undefined && typeof started !== "string") {
      await rm(started.temporary, { recursive: true, force: true });
    }
    await super[Symbol.asyncDispose]();
  }

  async #transfer(
    command: string,
    path: string,
    maxBytes: number,
    { signal }: VolumeCall,
    input?: Uint8Array,
  ): Promise<Transferred> {
    const started = await this.#start();
    if (typeof started === "string") throw new VolumeError("unavailable", started);
    const program = this.#program(started, command);
    return transfer({ ...program, args: [...program.args, path], maxBytes, input, signal });
  }

  #program(
    { binary, workspace, temporary }: Sandbox,
    command: string,
  ): { file: string; args: string[]; env: Record<string, string> } {
    const { network = false, readOnly = [] } = this.#options;
    const isolation = { workspace, temporary, readOnly, network, env: this.#env };
    return {
      file: binary,
      args: [...bubblewrapArguments(isolation), "--", "/bin/sh", "-c", command],
      env: {},
    };
  }

  #start(): Promise<Started> {
    this.#started ??= this.#open();
    return this.#started;
  }

  /** Finds `bwrap` and sees whether it may isolate here. */
  async #open(): Promise<Started> {
    const binary = findBubblewrap();
    if (binary === undefined) {
      return "The sandbox needs bubblewrap, which this machine does not have. Install the package 'bubblewrap' (Linux only).";
    }
    const wanted = resolve(this.#options.workspace);
    await mkdir(wanted, { recursive: true });
    const sandbox = {
      binary,
      workspace: await realpath(wanted),
      temporary: await mkdtemp(join(tmpdir(), "fs-sandbox-")),
    };
    const { exitCode } = await transfer({ ...this.#program(sandbox, "exit 0"), maxBytes: 0 });
    if (exitCode === 0) return sandbox;
    await rm(sandbox.temporary, { recursive: true, force: true });
    return "The sandbox could not be started: this machine does not let bubblewrap make user namespaces.";
  }
}

interface Sandbox {
  readonly binary: string;
  readonly workspace: string;
  readonly temporary: string;
}

/** A sandbox that is ready, or a sentence that says why there is none. */
type Started = Sandbox | string;
