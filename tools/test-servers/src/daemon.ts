import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { findProgram } from "./programs.js";
import { adoptProcess, forgetProcess } from "./orphans.js";
import { isCode } from "./error-code.js";
import { listens } from "./listener.js";
import { isListening } from "./ports.js";

const START_TIMEOUT_MS = 60_000;

export interface DaemonOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Where its output goes; its last lines are in the error when it does not start. */
  readonly log: string;
  /** The account to run as, for servers that refuse root. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
}

/** One server process that dies with this one. */
export class Daemon {
  readonly #child: ChildProcess;
  readonly #options: DaemonOptions;
  readonly #ended: Promise<void>;
  #spawnError: Error | undefined;

  constructor(options: DaemonOptions) {
    this.#options = options;
    const log = openSync(options.log, "a");
    const { command, args } = withParentDeathSignal(options);
    this.#child = spawn(command, args, {
      cwd: options.cwd,
      stdio: ["ignore", log, log],
      // Its own process group: Ctrl-C in the terminal goes to the test run, which then ends it.
      detached: true,
      ...(command === options.command ? options.account : undefined),
    });
    closeSync(log);
    const { pid } = this.#child;
    if (pid !== undefined) adoptProcess(pid);
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.#spawnError = error;
        resolve();
      });
      this.#child.once("exit", () => {
        if (pid !== undefined) forgetProcess(pid);
        resolve();
      });
    });
  }

  get running(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** Resolves once the port answers; rejects with the end of the log if the process ends before. */
  async listening(port: number): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (Date.now() < deadline) {
      if (!this.running) throw await this.#failure("ended before it was ready");
      if ((await isListening(port)) && (await this.#isListener(port))) return;
      await sleep(20);
    }
    throw await this.#failure(`did not listen on port ${port}`);
  }

  /** Something listens: whether it is this process, and not somebody else on the port while ours fails. */
  async #isListener(port: number): Promise<boolean> {
    const { pid } = this.#child;
    const proof = pid === undefined ? false : await listens(pid, port);
    if (proof !== undefined) return proof;
    await sleep(5);
    return this.running;
  }

  async signal(signal: NodeJS.Signals): Promise<void> {
    if (this.running) this.#child.kill(signal);
    await this.#ended;
  }

  /** Kills it, and waits until those of its children are gone whose title matches: they may outlive it for a moment. */
  async crash(serving: RegExp): Promise<void> {
    const children = this.#children().filter((child) => serving.test(titleOf(child)));
    await this.signal("SIGKILL");
    for (const child of children) while (serving.test(titleOf(child))) await sleep(1);
  }

  /** The process ids of its children; none where the system does not list them. */
  #children(): string[] {
    const { pid } = this.#child;
    const list = `/proc/${pid}/task/${pid}/children`;
    if (pid === undefined || !existsSync(list)) return [];
    return readFileSync(list, "utf8")
      .split(" ")
      .filter((child) => child !== "");
  }

  async #failure(what: string): Promise<Error> {
    const log = await readFile(this.#options.log, "utf8");
    const tail = log.trimEnd().split("\n").slice(-15).join("\n");
    const cause = this.#spawnError ? { cause: this.#spawnError } : undefined;
    return new Error(`${this.#options.command} ${what}:\n${tail}`, cause);
  }
}

/** What a process calls itself; `""` once it has ended, even if nothing has waited for it yet. */
function titleOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ESRCH")) return "";
    throw error;
  }
}

/**
 * On Linux the kernel itself ends the server when this process dies, even by SIGKILL. The account
 * is changed by the same program, since changing it later would clear the signal.
 */
function withParentDeathSignal(options: DaemonOptions): { command: string; args: string[] } {
  const { command, args, account } = options;
  const setpriv = process.platform === "linux" ? findProgram("setpriv") : undefined;
  if (setpriv === undefined) return { command, args: [...args] };
  const identity = account
    ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"]
    : [];
  return { command: setpriv, args: [...identity, "--pdeathsig", "KILL", command, ...args] };
}
