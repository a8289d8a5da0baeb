import type { S3Client } from "@aws-sdk/client-s3";
import { VolumeError } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";
import { probeCapabilities, type Capabilities } from "./capabilities.js";
import { LONGEST_TIMER_MS, untilCutOff } from "./cut-off.js";
import type { KeySpace } from "./keys.js";
import type { S3Consistency } from "./options.js";

/** What is known of the server behind each client, by bucket: every backend of one client shares the answer. */
const KNOWN = new WeakMap<S3Client, Map<string, Promise<Capabilities>>>();

/** Knows what the server can be trusted with: it is asked once, before the first write that depends on it. */
export class Trust {
  readonly #bucket: Bucket;
  readonly #keys: KeySpace;
  readonly #consistency: S3Consistency;

  constructor(bucket: Bucket, keys: KeySpace, consistency: S3Consistency) {
    this.#bucket = bucket;
    this.#keys = keys;
    this.#consistency = consistency;
  }

  /**
   * What the server does about conditions; `undefined` where the operator accepted that nothing does. Throws `unsupported`
   * where it would let writers undo each other's work.
   */
  async capabilities(signal: AbortSignal | undefined): Promise<Capabilities | undefined> {
    if (this.#consistency === "last-writer-wins") return undefined;
    const capabilities = await this.#known(signal);
    if (capabilities.conditionalPut) return capabilities;
    throw new VolumeError(
      "unsupported",
      "The server of this bucket ignores conditional writes (If-None-Match, If-Match), so writers could undo each other's work. " +
        "Nothing was written. Use a server that honours them, or accept it with consistency: 'last-writer-wins'.",
    );
  }

  /**
   * What a server does about conditions that answers a plain PUT as done although it lost a race against a conditional one,
   * whose object stays: Ceph does. One that honours conditions on DELETE as S3 defines them is trusted not to, and so is one
   * that ignores conditions, since nothing can be gained there. `undefined` for those.
   */
  async losesPlainPuts(signal: AbortSignal | undefined): Promise<Capabilities | undefined> {
    if (this.#consistency === "last-writer-wins") return undefined;
    const capabilities = await this.#known(signal);
    return capabilities.conditionalPut && !capabilities.conditionalDelete
      ? capabilities
      : undefined;
  }

  async #known(signal: AbortSignal | undefined): Promise<Capabilities> {
    const { client } = await this.#bucket.connect();
    const buckets = KNOWN.get(client) ?? new Map<string, Promise<Capabilities>>();
    KNOWN.set(client, buckets);
    const { name } = this.#bucket;
    // Without the signal: other callers wait for the same probe.
    const probe = buckets.get(name) ?? probeCapabilities(this.#bucket, this.#keys, {});
    if (!buckets.has(name)) {
      buckets.set(name, probe);
      // Nothing was learnt from one that fails, so the next write asks again.
      probe.catch(() => buckets.delete(name));
    }
    return untilCutOff({ signal, graceMs: 0, timeoutMs: LONGEST_TIMER_MS }, () => probe);
  }
}
