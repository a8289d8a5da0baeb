import type { ErrorCode } from "@fs/protocol";
import { isWithin } from "@fs/protocol/volume";
import type { RedisClient, RedisSubscriber } from "./client.js";

/** A change by any client. Of a directory it means that anything below may have changed. */
export interface FileChange {
  readonly type: "created" | "changed" | "deleted";
  /** Absolute and canonical. */
  readonly path: string;
}

export type WatchResult =
  | { changes: AsyncIterable<FileChange>; error?: undefined; code?: undefined }
  | { changes?: undefined; error: string; code: ErrorCode };

/** Changes that wait for a slow reader; more become one change of the watched path. */
const MAX_WAITING = 10_000;

/** Subscribes to the channel of a namespace on a connection of its own, which ends with the iteration. */
export async function watchChannel(
  client: RedisClient,
  channel: string,
  root: string,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<FileChange>> {
  const subscriber = client.duplicate();
  const changes = new ChangeQueue(root, subscriber);
  try {
    await subscriber.subscribe(channel);
  } catch (error) {
    subscriber.disconnect();
    throw error;
  }
  changes.listen();
  signal?.addEventListener("abort", () => changes.end(), { once: true });
  return changes;
}

class ChangeQueue implements AsyncIterable<FileChange> {
  readonly #root: string;
  readonly #subscriber: RedisSubscriber;
  #waiting: FileChange[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  constructor(root: string, subscriber: RedisSubscriber) {
    this.#root = root;
    this.#subscriber = subscriber;
    subscriber.on("error", () => undefined);
  }

  listen(): void {
    this.#subscriber.on("message", (_channel: string, message: string) => this.#receive(message));
    // A second "ready" is a connection that was lost: what happened in between is not known.
    this.#subscriber.on("ready", () => this.#add({ type: "changed", path: this.#root }));
    this.#subscriber.on("end", () => this.end());
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#subscriber.disconnect();
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FileChange> {
    try {
      for (;;) {
        const batch = this.#waiting;
        this.#waiting = [];
        yield* batch;
        if (this.#waiting.length > 0) continue;
        if (this.#ended) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.end();
    }
  }

  #receive(message: string): void {
    const cut = message.indexOf(" ");
    const type = message.slice(0, cut);
    const path = message.slice(cut + 1);
    if (type !== "created" && type !== "changed" && type !== "deleted") return;
    if (isWithin(path, this.#root)) this.#add({ type, path });
  }

  #add(change: FileChange): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#waiting = [{ type: "changed", path: this.#root }];
    } else {
      this.#waiting.push(change);
    }
    this.#wake?.();
  }
}
