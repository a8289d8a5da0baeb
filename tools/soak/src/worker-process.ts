import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Order, WorkerTask } from "./worker-task.js";

const WORKER = fileURLToPath(new URL("./worker.js", import.meta.url));
/** Descriptors that a worker may have: it reaches this when it is ordered to, and not otherwise. */
const DESCRIPTORS = 400;
/** A worker that runs. Signals go to it only while it has not ended. */
export class WorkerProcess {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #ready = false;
  #expected = false;
  #unexpected: string | undefined;

  /** @param onEpisode Called whenever the worker has ended an episode. */
  constructor(task: WorkerTask, onEpisode: () => void) {
    this.name = task.name;
    const limited = `ulimit -n ${DESCRIPTORS}; exec "$0" "$@"`;
    this.#child = spawn(
      "/bin/sh",
      ["-c", limited, process.execPath, WORKER, JSON.stringify(task)],
      {
        stdio: ["ignore", "ignore", "inherit", "ipc"],
        env: { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
      },
    );
    this.#child.on("message", (message) => {
      this.#ready = true;
      if (message === "episode") onEpisode();
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.#unexpected = error.message;
        resolve();
      });
      this.#child.once("exit", (code, signal) => {
        if (!this.#expected || (signal === null && code !== 0))
          this.#unexpected = `${this.name} ended with ${signal ?? `exit code ${code}`}`;
        resolve();
      });
    });
  }

  /** How it ended though no one ended it; `undefined` while there is nothing to report. */
  get unexpected(): string | undefined {
    return this.#unexpected;
  }

  get running(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** Resolves once it has loaded what it needs, or has ended. */
  async ready(): Promise<void> {
    if (!this.#ready) await Promise.race([once(this.#child, "message"), this.#ended]);
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    this.#expected = true;
    this.#signal("SIGKILL");
    await this.#ended;
  }

  /** Stops it, as a machine that is suspended does, until {@link resume}. */
  freeze(): void {
    this.#signal("SIGSTOP");
  }

  resume(): void {
    this.#signal("SIGCONT");
  }

  order(order: Order): void {
    // One that has not begun has nothing to stop or to lose; one that has just ended takes no message; how it ended is recorded already.
    if (this.#ready && this.#child.connected) this.#child.send(order, () => undefined);
  }

  /** Lets it finish what it is doing, for so many milliseconds, and then kills it. */
  async stop(ms: number): Promise<void> {
    this.#expected = true;
    this.resume();
    await this.ready();
    this.order({ kind: "stop" });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const inTime = await Promise.race([this.#ended.then(() => true), late]);
    clearTimeout(timer);
    if (!inTime) await this.kill();
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.running) this.#child.kill(signal);
  }
}
