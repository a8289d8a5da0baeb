import type { ErrorListener } from "../call/attempt.js";
import { checkedConfiguration } from "../call/configuration.js";
import { Creations } from "../concurrency/creations.js";
import { KeyedQueue } from "../concurrency/keyed-queue.js";
import type { Volume } from "../spi/volume.js";
import { AT_ONCE, type VolumeContext } from "./context.js";
import { isChecked } from "./find.js";

export interface VolumeBackendOptions {
  /** What `write` does to a file that is there: `"create"` refuses, `"overwrite"` replaces. Default `"create"`. */
  writeMode?: "create" | "overwrite";
  /** Bytes that a stored file may have; more is `too_large`. Default: no limit of the backend's own. */
  maxFileBytes?: number;
  /** Calls on the storage under way at once, per operation. Default 16. */
  concurrency?: number;
  /** Called with every unexpected error behind a failed result, including its cause; use it for logging. */
  onError?: ErrorListener;
}

/** What a subclass may add to the options of its user. */
export interface VolumeBackendInternals {
  /** Rewrites a path before it is checked, for backends whose callers may write other than canonical ones. */
  readonly resolvePath?: (path: unknown) => unknown;
}

/** What the operations work with under these options. Throws a TypeError for an option of the wrong type. */
export function contextOf(
  volume: Volume,
  options: VolumeBackendOptions & VolumeBackendInternals,
): VolumeContext {
  checkedConfiguration(
    "the backend",
    options,
    {
      writeMode: ["create", "overwrite"],
      maxFileBytes: "count",
      concurrency: "positive",
      onError: "function",
      resolvePath: "function",
    },
    "open",
  );
  return {
    volume,
    writeMode: options.writeMode ?? "create",
    maxFileBytes: options.maxFileBytes ?? Infinity,
    concurrency: options.concurrency ?? 16,
    queue: volume.ordersMutations === true ? AT_ONCE : new KeyedQueue(volume.callTimeoutMs),
    creations: isChecked(volume) ? new Creations() : AT_ONCE,
  };
}
