import { VolumeError } from "@fs/protocol/volume";
import type { Bucket } from "./bucket.js";
import { probeCapabilities, type Capabilities } from "./capabilities.js";
import type { KeySpace } from "./keys.js";
import type { S3Consistency } from "./options.js";

/** Knows what the server can be trusted with: it is asked once, before the first write that depends on it. */
export class Trust {
  readonly #bucket: Bucket;
  readonly #keys: KeySpace;
  readonly #consistency: S3Consistency;
  #probe: Promise<Capabilities> | undefined;

  constructor(bucket: Bucket, keys: KeySpace, consistency: S3Consistency) {
    this.#bucket = bucket;
    this.#keys = keys;
    this.#consistency = consistency;
  }

  /**
   * What the server does about conditions; `undefined` where the operator accepted that nothing does. Throws `unsupported`
   * where it would let writers undo each other's work.
   */
  async capabilities(): Promise<Capabilities | undefined> {
    if (this.#consistency === "last-writer-wins") return undefined;
    this.#probe ??= probeCapabilities(this.#bucket, this.#keys);
    const capabilities = await this.#probe.catch((error: unknown) => {
      // Nothing was learnt, so the next write asks again.
      this.#probe = undefined;
      throw error;
    });
    if (capabilities.conditionalPut) return capabilities;
    throw new VolumeError(
      "unsupported",
      "The server of this bucket ignores conditional writes (If-None-Match, If-Match), so writers could undo each other's work. " +
        "Nothing was written. Use a server that honours them, or accept it with consistency: 'last-writer-wins'.",
    );
  }
}
