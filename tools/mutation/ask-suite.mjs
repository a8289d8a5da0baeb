// Asks the quick tier of the suite about one fault of a package, within this program.
import { Worker } from "node:worker_threads";
import { deployments } from "./deployments.mjs";
import { isReached } from "./reach.mjs";

/** Milliseconds that the suite may take without a fault. */
const SOUND_MS = 1_200_000;
/** Faults of one worker: each keeps its own copy of the package in memory. */
const PER_WORKER = 60;

/** The parts of the protocol that a backend in memory is made of; the suite says nothing of the others there. */
const FOLDERS = new Set(["text", "glob", "paths", "relocation", "backend", "call", "memory"]);

/** Whether the suite can be asked within this program about a module. */
export function isDeployed({ package: name, module }) {
  if (name === "protocol") return FOLDERS.has(module.split("/")[0]);
  return deployments[name] !== undefined;
}

/** A worker that is asked about one fault at a time, and replaced when it hangs. */
export class SuiteOver {
  #name;
  #started;
  #worker;
  #asked = 0;
  #patience = SOUND_MS;
  #counted = {};

  constructor(name) {
    this.#name = name;
  }

  /** Without a fault nothing may be noticed: else every verdict would be worthless. Takes a module that has faults. */
  async requireSound(module) {
    const began = Date.now();
    const none = { package: this.#name, module, start: 0, end: 0, text: "" };
    const { killers, counted } = await this.#ask({ fault: none, counting: true });
    if (killers.length > 0)
      throw new Error(`The suite complains without a fault: ${killers.join(", ")}`);
    // A fault that never ends makes each of its cases as long as it may be.
    this.#patience = 3 * (Date.now() - began) + 60_000;
    this.#counted = counted;
  }

  /** Whether the suite runs the code of a fault: what it never gets to, it cannot notice. */
  reaches(fault) {
    return isReached(fault, this.#counted);
  }

  /** The cases that notice the fault; none if they all pass. */
  async notices(fault) {
    const { killers } = await this.#ask({ fault, counting: false });
    return killers;
  }

  async #ask(question) {
    this.#started ??= await deployments[this.#name].start();
    if (this.#asked++ % PER_WORKER === 0) await this.#endWorker();
    this.#worker ??= new Worker(new URL("oracle.mjs", import.meta.url), {
      workerData: { name: this.#name, info: this.#started.info },
    });
    const answer = await asked(this.#worker, question, this.#patience);
    if (answer.hung) await this.#endWorker();
    return answer;
  }

  async end() {
    await this.#endWorker();
    await this.#started?.stop();
    this.#started = undefined;
  }

  async #endWorker() {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function asked(worker, question, patience) {
  return new Promise((resolve) => {
    const done = (answer) => {
      clearTimeout(timer);
      worker.off("message", done);
      worker.off("error", broken);
      resolve(answer);
    };
    const broken = (error) => done({ killers: [`it ends: ${error.message}`], hung: true });
    const never = { killers: ["a call that never ends"], hung: true };
    const timer = setTimeout(() => done(never), patience);
    worker.on("message", done);
    worker.on("error", broken);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port is no window.
    worker.postMessage(question);
  });
}
