import { optionsOf } from "../call/options-of.js";
import { ChangeQueue } from "./change-queue.js";
import { canonicalPath } from "../paths/path.js";
import type { WatchResult } from "../types/watch.js";
import { attempt, type ErrorListener } from "../call/attempt.js";

/** A call of `watch`. */
export interface WatchCall {
  /** As the caller wrote it. */
  readonly path: unknown;
  /** The caller's: ends the changes. */
  readonly signal?: AbortSignal | undefined;
  /** Fires when the backend is disposed of: ends them too. */
  readonly closed: AbortSignal;
  readonly onError?: ErrorListener | undefined;
}

/**
 * The `watch` of a backend, for authors: checks the path, turns what is thrown into a result, and ends what was started.
 *
 * @param listen Begins to `add` changes, and resolves once none is missed any more. What it opens, it closes with
 * `changes.onEnd`, which may already have come. After a gap it calls `changes.missed`.
 * @example
 * async watch(path = "/", { signal }: CallOptions = {}): Promise<WatchResult> {
 *   return watchPath({ path, signal, closed: this.#closing.signal }, async (changes) => {
 *     const subscription = await this.#client.subscribe((change) => changes.add(change));
 *     changes.onEnd(() => subscription.cancel());
 *   });
 * }
 */
export async function watchPath(
  call: WatchCall,
  listen: (changes: ChangeQueue) => Promise<void>,
): Promise<WatchResult> {
  const { path, signal, closed, onError } = call;
  const canonical = canonicalPath(path);
  if (canonical.failure !== undefined) return canonical.failure;
  const changes = new ChangeQueue(canonical.path);
  if (signal !== undefined) changes.endWith(signal);
  changes.endWith(closed);
  const method = { mutates: false, options: { signal: "signal" } } as const;
  const operation = { operation: "watch", path, method, onError };
  const answer = await attempt(operation, optionsOf(signal), async () => {
    await listen(changes);
    return { changes };
  });
  if ("error" in answer) changes.end();
  return answer;
}
