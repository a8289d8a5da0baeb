// Asks the quick tier of the suite about one fault of the protocol, over memory and within this program.
import { Worker } from "node:worker_threads";

/** Milliseconds after which a fault has made a call that never ends. */
const PATIENCE_MS = 120_000;
/** Faults of one worker: each keeps its own copy of the protocol in memory. */
const PER_WORKER = 60;

/** The parts of the protocol that a backend in memory is made of; the suite says nothing of the others there. */
const FOLDERS = new Set(["text", "glob", "paths", "relocation", "backend", "call", "memory"]);

export function isOfMemory({ package: name, module }) {
  return name === "protocol" && FOLDERS.has(module.split("/")[0]);
}

/** A worker that is asked about one fault at a time, and replaced when it hangs. */
export class SuiteOverMemory {
  #worker;
  #asked = 0;

  /** The cases that notice the fault; none if they all pass. */
  async notices(fault) {
    if (this.#asked++ % PER_WORKER === 0) await this.end();
    this.#worker ??= new Worker(new URL("oracle.mjs", import.meta.url));
    const { killers, hung } = await asked(this.#worker, fault);
    if (hung) await this.end();
    return killers;
  }

  async end() {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function asked(worker, fault) {
  return new Promise((resolve) => {
    const done = (answer) => {
      clearTimeout(timer);
      worker.off("message", done);
      worker.off("error", broken);
      resolve(answer);
    };
    const broken = (error) => done({ killers: [`it ends: ${error.message}`], hung: true });
    const never = { killers: ["a call that never ends"], hung: true };
    const timer = setTimeout(() => done(never), PATIENCE_MS);
    worker.on("message", done);
    worker.on("error", broken);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port is no window.
    worker.postMessage(fault);
  });
}
