import { optionsOf, outcomeOf, refuseAborted, waitFor } from "@fs/protocol/async";
import { VolumeError, type VolumeCall } from "@fs/protocol/author";
import { digestOf } from "@fs/protocol/records";
import { answerLines } from "./answer.js";
import type { SandboxChannel } from "./channel.js";
import * as scripts from "./scripts.js";
import { STAGING, TEMPORARY } from "./temporary.js";

/** Runs scripts in a sandbox and brings their whole answers back, whatever its output limit. */
export class SandboxCommands {
  readonly #channel: SandboxChannel;
  #ready: Promise<void> | undefined;

  constructor(channel: SandboxChannel) {
    this.#channel = channel;
  }

  /** The lines of a script's answer. Throws what it said instead. */
  async run(
    variables: Record<string, string>,
    body: readonly string[],
    { signal }: VolumeCall,
  ): Promise<string[]> {
    await this.prepare({ signal });
    return this.#ask(scripts.script(variables, ...body), signal);
  }

  /**
   * As {@link run}, for a change under a lock. The signal prevents it and does not end it: a shell that is killed leaves its lock, or
   * one of two steps. How long its caller waits is the caller's.
   */
  async change(
    variables: Record<string, string>,
    body: readonly string[],
    { signal }: VolumeCall,
  ): Promise<string[]> {
    await this.prepare({ signal });
    refuseAborted(signal);
    return this.#ask(scripts.script(variables, ...body), undefined);
  }

  async #ask(command: string, signal: AbortSignal | undefined): Promise<string[]> {
    const response = await this.#channel.execute(command, optionsOf(signal));
    if (!response.truncated) return answerLines(response);
    // An answer longer than the sandbox's output limit comes as a file.
    const file = this.staging();
    const stored = await this.#channel.execute(`{\n${command}\n} >${file}`, optionsOf(signal));
    if (stored.exitCode !== 0) {
      await this.#remove(file);
      throw new VolumeError("unavailable");
    }
    const bytes = await this.take(file, { signal });
    return answerLines({ ...stored, output: Buffer.from(bytes ?? []).toString("utf8") });
  }

  /** Sees once whether the sandbox has the tools. All who wait share one look, which none of them can abort for the others. */
  prepare({ signal }: VolumeCall): Promise<void> {
    this.#ready ??= this.#ask(scripts.PROBE, undefined).then(
      () => undefined,
      (error: unknown) => {
        // A sandbox that was not there yet may be there at the next call.
        this.#ready = undefined;
        throw error;
      },
    );
    return waitFor(this.#ready, { signal, timeoutMs: Infinity }, (why) => new VolumeError(why));
  }

  /** Brings bytes to the staging folder, for a command that removes them. Gives their path there. */
  async send(bytes: Uint8Array, call: VolumeCall): Promise<string> {
    const file = this.staging();
    try {
      await this.#channel.sendFile(file, bytes, call);
      refuseAborted(call.signal);
    } catch (error) {
      // No command comes for them.
      await this.#remove(file);
      throw error;
    }
    return file;
  }

  /** Fetches a staged file and removes it. */
  async take(file: string, call: VolumeCall): Promise<Uint8Array | undefined> {
    try {
      return await this.#channel.fetchFile(file, call);
    } finally {
      await this.#remove(file);
    }
  }

  /** Removes a staged file. What a sandbox does not remove now, as it is gone, a later probe does: no answer depends on it. */
  async #remove(file: string): Promise<void> {
    await outcomeOf(async () => this.#channel.execute(`rm -f ${file}`, {}));
  }

  /** A new path for a file on its way. */
  staging(): string {
    return `${STAGING}/${TEMPORARY.fresh()}`;
  }
}

/** The version of a file: what `sha256sum` says of its bytes. */
export function sha256(content: Uint8Array | string): string {
  return digestOf("sha256", "hex", content);
}

/** Where the lock of a file is in the sandbox. */
export function lockOf(host: string): string {
  return `${STAGING}/lock-${sha256(host).slice(0, 32)}`;
}
