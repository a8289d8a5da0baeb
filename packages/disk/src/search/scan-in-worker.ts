import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import { onAbort } from "@fs/protocol/async";
import { VolumeError, type VolumeHit } from "@fs/protocol/author";
import type { WorkerMessage, WorkerRequest } from "./worker-protocol.js";

/** The compiled worker: beside this module, or in `dist` when the sources themselves are run. */
function workerFile(): URL | undefined {
  const places = ["./search-worker.js", "../../dist/search/search-worker.js"];
  return places
    .map((place) => new URL(place, import.meta.url))
    .find((url) => url.protocol === "file:" && existsSync(fileURLToPath(url)));
}

/** Returns whether a search thread can be started: a bundler may have left its file behind. */
export function hasWorker(): boolean {
  return workerFile() !== undefined;
}

/** Runs a search in a thread. Yields its batches in order; ends the thread when the reader stops. */
export async function* scanInWorker(
  request: Omit<WorkerRequest, "unread">,
  signal: AbortSignal | undefined,
  onUnreadable: (() => void) | undefined,
): AsyncGenerator<readonly VolumeHit[]> {
  const file = workerFile();
  if (file === undefined) throw new VolumeError("unsupported");
  const unread = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: WorkerRequest = { ...request, unread };
  // Not imported: a program that never searches starts without it.
  const threads = process.getBuiltinModule("node:worker_threads");
  // Nothing of the host's flags and environment: a loader or inspector meant for the host would only slow it down.
  const worker = new threads.Worker(file, { workerData, execArgv: [], env: {} });
  const inbox = new Inbox(worker, signal);
  try {
    for (;;) {
      const message = await inbox.next();
      if ("done" in message) return;
      if ("unreadable" in message) {
        onUnreadable?.();
        continue;
      }
      yield message.hits;
      Atomics.sub(unread, 0, 1);
      Atomics.notify(unread, 0);
    }
  } finally {
    inbox.close();
    await worker.terminate();
  }
}

/** The messages of a worker, one by one. Its failure, its early end and an abort are thrown. */
class Inbox {
  readonly #messages: WorkerMessage[] = [];
  readonly #stopListening: (() => void) | undefined;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(worker: Worker, signal: AbortSignal | undefined) {
    worker.on("message", (message: WorkerMessage) => {
      this.#messages.push(message);
      this.#wake?.();
    });
    worker.on("error", (error: Error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new VolumeError("unavailable")));
    this.#stopListening = signal && onAbort(signal, () => this.#fail(new VolumeError("aborted")));
  }

  async next(): Promise<WorkerMessage> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) return message;
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#stopListening?.();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }
}
