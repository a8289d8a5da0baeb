import { type VolumeCall, warnOnce } from "@fs/protocol/author";
import type { Connection } from "./connection.js";

/** Files of a namespace from which freeing them at once is noticed by every client of the server. */
const LARGE = 100_000;
/** Files that are stored between two looks at how many there are. */
const LOOK_EVERY = 10_000;
/** Fields of the hash that a file takes. */
const FIELDS = 2;
const CODE = "FS_REDIS_LAZYFREE";

/**
 * Warns, once in a process, where a large namespace expires as a whole on a server that frees it at once: it answers no
 * client meanwhile. An account that may not read the server's settings is not warned.
 */
export class ExpiryWarning {
  readonly #connection: Connection;
  readonly #key: string;
  #untilLook = 0;

  /** @param key The hash of the files. */
  constructor(connection: Connection, key: string) {
    this.#connection = connection;
    this.#key = key;
  }

  /** To be called before so many files are stored. */
  async before(files: number, call: VolumeCall): Promise<void> {
    this.#untilLook -= files;
    if (this.#untilLook > 0) return;
    this.#untilLook = LOOK_EVERY;
    const fields = await this.#connection.ask("HLEN", [this.#key], call);
    if (Number(fields) < LARGE * FIELDS) return;
    const setting = await this.#connection.setting("lazyfree-lazy-expire", call);
    // What the server is set to is not looked at again.
    this.#untilLook = Infinity;
    if (setting !== "no") return;
    warnOnce(
      CODE,
      "A namespace with 'ttlSeconds' has more than 100,000 files, and this Redis server frees all of them in one go when it " +
        "expires, which holds up every client. Set 'lazyfree-lazy-expire yes' on the server.",
      "Warning",
    );
  }
}
