import { errnoOf, type NodeFilesystem } from "@fs/node";
import type { MastraErrors } from "./mastra-errors.js";
import type { SeenVersions } from "./seen-versions.js";

/** There is no file, and there must be none. */
const ABSENT = Symbol("absent");

/** On which condition Mastra stores a file. */
export interface StoreCondition {
  readonly overwrite: boolean;
  /** The time of the file that was read. */
  readonly expectedMtime: Date | undefined;
}

/** Stores files only over the versions that were seen. */
export class ConditionalWrites {
  readonly #errors: MastraErrors;
  readonly #node: NodeFilesystem;
  readonly #seen: SeenVersions;

  constructor(errors: MastraErrors, node: NodeFilesystem, seen: SeenVersions) {
    this.#errors = errors;
    this.#node = node;
    this.#seen = seen;
  }

  /** @param path As Mastra wrote it, for errors. */
  async store(
    at: string,
    path: string,
    bytes: Uint8Array,
    { overwrite, expectedMtime }: StoreCondition,
  ): Promise<void> {
    const version =
      expectedMtime === undefined
        ? this.#seen.latest(at)
        : (this.#seen.ofTime(at, expectedMtime) ?? (await this.#absent(at, path, expectedMtime)));
    const condition = !overwrite || version === ABSENT ? { ifAbsent: true } : ifVersion(version);
    const stored = await this.#node.store(at, bytes, condition).catch(async (error: unknown) => {
      const code = errnoOf(error);
      // The agent asked for no condition: where there can be none, and where the file is gone, nothing is lost without it.
      const isUnasked = expectedMtime === undefined && overwrite;
      if (code === "ENOTSUP" && isUnasked) return this.#node.store(at, bytes);
      if (code !== "EBUSY" && !(code === "EEXIST" && overwrite)) throw error;
      if (isUnasked && (await this.#node.find(at)) === undefined)
        return this.#node.store(at, bytes, { ifAbsent: true });
      throw await this.#stale(at, path, expectedMtime);
    });
    this.#seen.saw(at, stored.version);
  }

  /** A time that was not seen with a version is refused, unless there is no file that could be lost. */
  async #absent(at: string, path: string, expected: Date): Promise<typeof ABSENT> {
    if ((await this.#node.find(at)) === undefined) return ABSENT;
    throw await this.#stale(at, path, expected);
  }

  async #stale(at: string, path: string, expected = new Date(0)): Promise<Error> {
    const actual = (await this.#node.find(at))?.mtime ?? new Date(0);
    return new this.#errors.StaleFileError(path, expected, actual);
  }
}

function ifVersion(version: string | undefined): { ifVersion?: string } {
  return version === undefined ? {} : { ifVersion: version };
}
