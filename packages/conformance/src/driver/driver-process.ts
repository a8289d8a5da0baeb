import { createInterface } from "node:readline";
import { endProgram, startProgram, type ChildProcess } from "../start-program.js";
import { decoded, encoded } from "./driver-values.js";

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds that a driver may take to end once its input has. */
const END_GRACE_MS = 5000;

/** A program in any language that answers one JSON object per line for each that it reads. */
export class DriverProcess {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #complaints: string[] = [];
  #count = 0;
  #ended: Error | undefined;

  constructor([program = "", ...args]: readonly string[], cwd: string | undefined) {
    this.#child = startProgram(program, args, cwd);
    const { stdout, stderr, stdin } = this.#child;
    if (stdout !== null)
      createInterface({ input: stdout }).on("line", (line) => this.#receive(line));
    stderr?.on("data", (chunk: Buffer) => this.#complaints.push(chunk.toString()));
    // A write to a process that has ended is reported by its `close` event.
    stdin?.on("error", () => undefined);
    this.#child.on("error", (error) => this.#end(error.message));
    this.#child.on("close", (code) => this.#end(`it ended with code ${code}`));
  }

  /** Sends a request and gives its answer. Rejects when the driver ends, or says that it failed. */
  ask(request: object): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#child.stdin?.write(`${JSON.stringify({ id, ...(encoded(request) as object) })}\n`);
    });
  }

  /** Ends its input, and waits until it has ended. One that goes on regardless is ended. */
  async end(): Promise<void> {
    if (this.#ended !== undefined) return;
    const child = this.#child;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        // Not its `close`: a process that it left behind may hold its output open.
        child.once("exit", () => resolve());
        endProgram(child);
      }, END_GRACE_MS);
      child.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
      child.stdin?.end();
    });
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  }

  #receive(line: string): void {
    if (line.trim() === "") return;
    let answer: { id?: unknown; result?: unknown; failed?: unknown };
    try {
      answer = JSON.parse(line) as typeof answer;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#complaints.push(`It answered what is no JSON: ${line.slice(0, 200)}\n`);
      return;
    }
    const pending = this.#pending.get(Number(answer.id));
    this.#pending.delete(Number(answer.id));
    if (typeof answer.failed === "string") pending?.reject(new Error(answer.failed));
    else pending?.resolve(decoded(answer.result));
  }

  #end(why: string): void {
    const said = this.#complaints.join("").trim().slice(-2000);
    this.#ended ??= new Error(
      `The driver is gone: ${why}.${said === "" ? "" : ` It said: ${said}`}`,
    );
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }
}
