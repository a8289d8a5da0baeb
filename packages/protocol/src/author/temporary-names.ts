import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";

/**
 * Names of files that are being written, beside the files that they become: `prefix`, 24 hexadecimal digits, `.tmp`. No agent can
 * guess one. No listing is to show one, so that no path may contain one: that file would be hidden.
 */
export class TemporaryNames {
  readonly #prefix: string;
  // In any case: on a disk that folds case, another spelling names the same file.
  readonly #name: RegExp;
  readonly #inPath: RegExp;

  /** @param prefix Begins with a dot and has letters, digits and hyphens alone, such as `.fs-disk-`. */
  constructor(prefix: string) {
    this.#prefix = prefix;
    const name = `${prefix.replaceAll(".", "\\.")}[0-9a-f]{24}\\.tmp`;
    this.#name = new RegExp(`^${name}$`, "i");
    this.#inPath = new RegExp(`/${name}(?:/|$)`, "i");
  }

  /** A new one. */
  fresh(): string {
    // Not imported: a program that only reads starts without it.
    const { randomBytes } = process.getBuiltinModule("node:crypto");
    return `${this.#prefix}${randomBytes(12).toString("hex")}.tmp`;
  }

  /** Returns whether a name is one of them: of a file half written, or left behind by a crash. */
  isOne(name: string): boolean {
    return this.#name.test(name);
  }

  /** Returns whether a segment of a path is one of them: of a directory that is being removed. */
  isIn(path: string): boolean {
    return this.#inPath.test(path);
  }

  /** The path, unless a segment of it is such a name. Throws `permission_denied`. */
  outside(path: string): string {
    const refusal = this.refusalOf(path);
    if (refusal !== undefined) throw refusal;
    return path;
  }

  /** What {@link outside} throws of a path, `undefined` where it throws nothing. */
  refusalOf(path: string): VolumeError | undefined {
    if (!this.isIn(path)) return undefined;
    const names = quote(`${this.#prefix}….tmp`);
    return new VolumeError(
      "permission_denied",
      `Names like ${names} are reserved for files that are being written. Use another name.`,
    );
  }
}
