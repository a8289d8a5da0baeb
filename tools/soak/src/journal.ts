import { createReadStream, openSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { StorageName } from "./storage-name.js";

/** A call before it is made: what it is to do, with texts by their tokens. */
export type Intent =
  | { readonly op: "create"; readonly path: string; readonly token: string }
  | { readonly op: "race"; readonly path: string; readonly token: string }
  | { readonly op: "open"; readonly path: string }
  | { readonly op: "append"; readonly path: string; readonly token: string }
  | {
      readonly op: "edit";
      readonly path: string;
      readonly before: string;
      readonly token: string;
    }
  | { readonly op: "delete"; readonly path: string }
  | {
      readonly op: "move" | "copy";
      readonly path: string;
      readonly to: string;
      /** Of a directory: the files in it. */
      readonly names?: readonly string[];
    }
  | { readonly op: "read"; readonly path: string }
  | { readonly op: "list"; readonly path: string };

/** What the backend said of a call. */
export interface Answer {
  /** `done`; `refused`: it says that nothing has happened; `unknown`: it says that something may have. */
  readonly verdict: "done" | "refused" | "unknown";
  readonly code?: string;
  /** What a read found, as a token; what a listing found, as paths. */
  readonly found?: string | readonly string[];
  /** Milliseconds that this process itself had for it: not those in which it was stopped. */
  readonly ms: number;
  readonly limitMs: number;
}

export type Entry =
  | {
      readonly kind: "call";
      readonly id: number;
      readonly stream: string;
      readonly storage: StorageName;
      readonly intent: Intent;
    }
  | { readonly kind: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly kind: "uncaught"; readonly what: string };

/** Appends entries to a file at once, so that a process that is killed has written all that it knew. */
export class Journal {
  // Opened before descriptors run out, and never closed.
  readonly #descriptor: number;

  constructor(folder: string, worker: string) {
    this.#descriptor = openSync(join(folder, `${worker}.jsonl`), "a");
  }

  write(entry: Entry): void {
    writeSync(this.#descriptor, `${JSON.stringify(entry)}\n`);
  }
}

/** The entries of every worker's journal, in the order of each; a half-written last line is left out. */
export async function* readJournals(folder: string): AsyncGenerator<[worker: string, Entry]> {
  for (const file of readdirSync(folder)) {
    const lines = createInterface({ input: createReadStream(join(folder, file)) });
    let last: string | undefined;
    for await (const line of lines) {
      if (last !== undefined) yield [file, JSON.parse(last) as Entry];
      last = line;
    }
    if (last?.endsWith("}}") === true || last?.endsWith('"}') === true)
      yield [file, JSON.parse(last) as Entry];
  }
}
