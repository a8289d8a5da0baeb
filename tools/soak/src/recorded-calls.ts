import type { Filesystem } from "@fs/protocol";
import type { Answer, Intent, Journal } from "./journal.js";
import type { OwnTime } from "./own-time.js";
import type { StorageName } from "./storage-name.js";
import { textOf, tokenOf } from "./token-text.js";

/** What every shared log ends with: an edit puts its token before it. */
export const END = "<end>";

/** Milliseconds after which a caller gives up. */
const PATIENCE_MS = 6000;
/** A8 gives a change a second to answer for itself; the rest is the turn of a busy machine. */
const GRACE_MS = 2500;
/** Without a signal a call of several requests may use the time of each: the wait for a lock on disk is the longest. */
const UNLIMITED_MS = 25_000;

interface Result {
  readonly error?: string | null | undefined;
  readonly code?: string | undefined;
  readonly content?: unknown;
  readonly files?: readonly { readonly path: string }[] | number | undefined;
}

const UNDECIDED = new Set(["unavailable", "aborted", "timeout"]);
let calls = 0;

/** One line of calls to a backend, each recorded before it is made and when it is answered. */
export class RecordedCalls {
  readonly #backend: Filesystem;
  readonly #record: {
    readonly journal: Journal;
    readonly time: OwnTime;
    readonly storage: StorageName;
  };
  readonly stream: string;

  constructor(
    backend: Filesystem,
    record: { journal: Journal; time: OwnTime; storage: StorageName },
    stream: string,
  ) {
    this.#backend = backend;
    this.#record = record;
    this.stream = stream;
  }

  /** Makes a call, and answers what is known of it. Rejects as the backend does, which none may. */
  async make(intent: Intent): Promise<Answer["verdict"]> {
    const { journal, time, storage } = this.#record;
    const id = calls++;
    journal.write({ kind: "call", id, stream: this.stream, storage, intent });
    const patient = Math.random() < 0.25;
    const start = time.ms;
    const result = await this.#send(intent, patient ? undefined : AbortSignal.timeout(PATIENCE_MS));
    const ms = Math.round(time.ms - start);
    const verdict = verdictOf(result);
    const limitMs = patient ? UNLIMITED_MS : PATIENCE_MS + GRACE_MS;
    const { code } = result;
    const found = verdict === "done" ? foundBy(intent, result) : undefined;
    const seen = {
      ...(code === undefined ? {} : { code }),
      ...(found === undefined ? {} : { found }),
    };
    journal.write({ kind: "answer", id, answer: { verdict, ...seen, ms, limitMs } });
    return verdict;
  }

  async #send(intent: Intent, signal: AbortSignal | undefined): Promise<Result> {
    const backend = this.#backend;
    const options = signal === undefined ? {} : { signal };
    const { path } = intent;
    switch (intent.op) {
      case "create":
      case "race":
        return backend.write(path, textOf(intent.token), { ifAbsent: true, ...options });
      case "open":
        return backend.write(path, END, { ifAbsent: true, ...options });
      case "append":
        return backend.edit(path, END, `${intent.token}\n${END}`, false, options);
      case "edit":
        return backend.edit(path, textOf(intent.before), textOf(intent.token), false, options);
      case "read":
        return backend.read(path, 0, 10, options);
      case "list":
        return backend.ls(path, options);
      case "delete":
        return offered(await backend.delete?.(path, options));
      case "move":
        return offered(await backend.move?.(path, intent.to, options));
      case "copy":
        return offered(await backend.copy?.(path, intent.to, options));
    }
  }
}

function offered(result: Result | undefined): Result {
  if (result === undefined) throw new Error("the backend lacks a method");
  return result;
}

/** A refusal is one unless the code leaves it open and the sentence says that it may have happened. */
function verdictOf({ error, code = "" }: Result): Answer["verdict"] {
  if (error === undefined || error === null) return "done";
  return UNDECIDED.has(code) && /\bmay\b/.test(error) ? "unknown" : "refused";
}

function foundBy({ op }: Intent, { content, files }: Result): Answer["found"] {
  if (op === "read") return tokenOf(String(content));
  return op === "list" && Array.isArray(files) ? files.map(({ path }) => path) : undefined;
}
