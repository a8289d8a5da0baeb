import { namespaceName } from "./namespace.js";
import { canonicalFilePath, canonicalPath, VolumeError } from "@fs/protocol/author";

/** Bytes of UTF-8 that a key may have, as every S3 server has it. */
const MAX_KEY_BYTES = 1024;

/**
 * Paths as keys: the prefix and the path, byte for byte. Canonical paths have no `..`, and the prefix ends in `/`, so no
 * path leads out of it.
 */
export class KeySpace {
  /** `""`, or ends in `/`. */
  readonly prefix: string;

  /**
   * @throws TypeError for a prefix with an empty, `.` or `..` segment, with control characters, or too long, and for a
   * namespace that is not valid.
   */
  constructor(prefix = "", namespace?: string | readonly string[]) {
    if (typeof prefix !== "string") throw new TypeError("The prefix must be a string.");
    const container = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
    const canonical = canonicalPath(`/${container}`);
    const spelled = canonical.failure === undefined ? `${canonical.path.slice(1)}/` : undefined;
    if (container !== "" && (container === "/" || container !== spelled)) {
      throw new TypeError(
        "The prefix must be names joined by '/', without a leading '/', '.', '..' or empty names, such as 'agents/7'.",
      );
    }
    this.prefix = namespace === undefined ? container : `${container}${namespaceName(namespace)}/`;
    if (Buffer.byteLength(this.prefix) >= MAX_KEY_BYTES)
      throw new TypeError("The prefix and the namespace leave no room for a path.");
  }

  /** The key of a file. Throws `invalid_path` when it would be too long. */
  keyOf(path: string): string {
    const key = this.prefix + path.slice(1);
    if (key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES) {
      const room = MAX_KEY_BYTES - Buffer.byteLength(this.prefix);
      throw new VolumeError(
        "invalid_path",
        `'${path}' is too long for a bucket: a path may have ${room} bytes of UTF-8 here.`,
      );
    }
    return key;
  }

  /** What the keys of everything below a directory start with. */
  below(directory: string): string {
    return directory === "/" ? this.prefix : `${this.keyOf(directory)}/`;
  }

  /** The file that a key holds; `undefined` for markers, probes and names of other tools that no path can spell. */
  pathOf(key: string): string | undefined {
    const name = key.slice(this.prefix.length);
    const canonical = canonicalFilePath(`/${name}`);
    return canonical.failure === undefined && canonical.path.length === name.length + 1
      ? canonical.path
      : undefined;
  }

  /** The key of a probe: below the prefix, where the credentials may write, and where an empty name keeps every path out. */
  probe(id: string): string {
    return `${this.prefix}/.fs-probe-${id}`;
  }
}

/** A key as a listing gives it, encoded because XML cannot carry every character. */
export function decodedKey(listed: string): string {
  return decodeURIComponent(listed.replaceAll("+", "%20"));
}
