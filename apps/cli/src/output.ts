import { once } from "node:events";
import { printable, printableText } from "./printable.js";

/** Where the output goes: texts for people, one JSON value for programs, bytes as they are. */
export class Output {
  readonly #json: boolean;
  #redact: (text: string) => string = (text) => text;

  constructor(json: boolean) {
    this.#json = json;
  }

  /** Whether a program reads the output. */
  get json(): boolean {
    return this.#json;
  }

  /** Hides secrets in everything that is said on standard error. */
  hide(redact: (text: string) => string): void {
    this.#redact = redact;
  }

  /** The result of a call for a program, or its lines for a person. */
  async result(value: unknown, lines: () => readonly string[]): Promise<void> {
    if (this.#json) await write(process.stdout, `${JSON.stringify(value)}\n`);
    else for (const line of lines()) await write(process.stdout, `${printableText(line)}\n`);
  }

  /** The content of a file: exact, except that a terminal gets no control characters. */
  async content(bytes: Uint8Array): Promise<void> {
    const shown = process.stdout.isTTY ? printableText(new TextDecoder().decode(bytes)) : bytes;
    await write(process.stdout, shown);
  }

  /** A sentence about the work, on standard error. */
  note(text: string): void {
    process.stderr.write(`${printable(this.#redact(text))}\n`);
  }

  /** A failure: the protocol's own result for a program, a sentence for a person. */
  async failure(error: string, code: string | undefined): Promise<void> {
    const shown = this.#redact(error);
    if (this.#json) {
      const value = { error: shown, ...(code === undefined ? {} : { code }) };
      await write(process.stdout, `${JSON.stringify(value)}\n`);
    } else this.note(`fs-agent: ${shown}`);
  }

  /** How far a transfer is; only on a terminal. */
  progress(done: number, all: number): void {
    if (process.stderr.isTTY && !this.#json)
      process.stderr.write(`\r${done}/${all}${done === all ? "\n" : ""}`);
  }
}

/** Waits for a slow reader, so that a large file is never held whole in the pipe. */
async function write(stream: NodeJS.WriteStream, chunk: string | Uint8Array): Promise<void> {
  if (!stream.write(chunk)) await once(stream, "drain");
}
