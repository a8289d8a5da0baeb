import type { Unlisted } from "../call/tree-access.js";
import type { VolumePut, VolumeUpload } from "../spi/volume.js";

/** Paths looked at together. */
export const LOOKS_AT_ONCE = 16;

/** What is at a path of an end. */
export interface Standing {
  readonly kind: "file" | "directory";
  /** ISO 8601, UTC. */
  readonly modifiedAt?: string | undefined;
  /** Of a file, where the storage says it without the content. */
  readonly version?: string | undefined;
  /** Names the write that stored a file, where the storage knows it. */
  readonly writeId?: string | undefined;
}

/** A file as it was read. */
export interface Copy {
  readonly bytes: Uint8Array;
  /** Absent where the storage has no versions. */
  readonly version?: string | undefined;
  /** Names the write that stored it, where the storage knows it. */
  readonly writeId?: string | undefined;
}

/** A file below a directory. */
export interface FileBelow {
  readonly path: string;
  /** Bytes, where the listing has them. */
  readonly size?: number | undefined;
}

/**
 * One side of a relocation. A volume is both of its own ends; a composite is an end over the protocol, so that its mounts
 * come along. Every method stops with the signal of the call.
 */
export interface RelocationEnd {
  /** Whether the storage of a path honours versions as conditions. Where it does not, bytes are compared. */
  versioned(path: string): boolean;
  stat(path: string): Promise<Standing | undefined>;
  /** Every file below a directory. Throws where the enumeration may be incomplete. */
  filesBelow(directory: string): Promise<FileBelow[]>;
  /** Files in input order; what is no file is rejected with `not_found` or `is_directory`. */
  get(paths: readonly string[]): Promise<ReadonlyArray<PromiseSettledResult<Copy>>>;
  /** Stores each file on its condition, which every storage honours as well as it can. */
  put(
    files: readonly VolumeUpload[],
  ): Promise<ReadonlyArray<PromiseSettledResult<VolumePut | undefined>>>;
  /** Removes files, each only in the version given; `false` for one that was certainly gone before. */
  remove(
    files: ReadonlyArray<readonly [path: string, version: string | undefined]>,
  ): Promise<ReadonlyArray<PromiseSettledResult<boolean>>>;
  /** Removes a directory and those below it as far as they are empty, where the storage has empty directories. */
  removeEmpty(directory: string, unlisted?: Unlisted): Promise<void>;
}

/** From where to where one file goes. */
export interface Leg {
  readonly from: string;
  readonly to: string;
  /** Bytes, where known: what a batch is cut by. */
  readonly size?: number | undefined;
}
