import { readFile, writeFile } from "node:fs/promises";
import type { ExecuteOptions, ExecuteResponse } from "@fs/protocol";
import { BaseSandbox, type BaseSandboxOptions } from "@fs/shell";
import { checkedCall, isRefused } from "../src/command/check-command.js";
import { runCommand } from "../src/command/run-command.js";

export interface LocalProcessSandboxOptions extends BaseSandboxOptions {
  /** Directory of tools that come before the system's, such as BusyBox's. */
  tools?: string;
}

/** A "remote" sandbox that is a plain process on this machine: what an adapter for a provider looks like. */
export class LocalProcessSandbox extends BaseSandbox {
  readonly id = "local-process";
  /** Commands so far. */
  commands = 0;
  readonly #path: string;

  constructor(options: LocalProcessSandboxOptions = {}) {
    super(options);
    this.#path = [...(options.tools === undefined ? [] : [options.tools]), "/usr/bin", "/bin"].join(
      ":",
    );
  }

  async execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    const call = checkedCall(command, options, 60);
    if (isRefused(call)) return call;
    this.commands++;
    return runCommand({
      file: "/bin/sh",
      args: ["-c", `exec 2>&1\n${command}`],
      cwd: "/",
      env: { PATH: this.#path },
      timeout: call.timeout,
      maxOutputBytes: 100_000,
      signal: call.signal,
    });
  }

  protected override async sendFile(path: string, bytes: Uint8Array): Promise<void> {
    await writeFile(path, bytes);
  }

  protected override async fetchFile(path: string): Promise<Uint8Array | undefined> {
    return readFile(path);
  }
}
