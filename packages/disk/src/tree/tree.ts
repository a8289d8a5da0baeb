import type { BigIntStats } from "node:fs";
import type { Making } from "./make-directory.js";

/** What a platform can promise against somebody who changes the tree while a call runs. */
export type Containment = "race-free" | "best-effort";

/** A directory inside the root, held so that names in it can be reached. */
export interface Directory {
  /** A host path that leads to the directory itself. */
  readonly self: string;
  /** A host path that leads to a name in this directory. Valid until {@link close}. */
  at(name: string): string;
  /** As {@link at}, for a name that may be no UTF-8. */
  atBytes(name: Buffer): Buffer;
  /**
   * Opens a name that was a regular file when it was last looked at, at half the cost of {@link Tree.openFile}. What took its
   * place since then is refused, but notices that it was opened. `path` is the whole of it, for messages.
   */
  openFile(name: string, path: string): OpenFile;
  close(): void;
}

/** A regular file inside the root, open for reading. The caller closes `fd`. */
export interface OpenFile {
  readonly fd: number;
  readonly stats: BigIntStats;
}

/**
 * The files below one host directory, reached without ever following a symbolic link.
 *
 * Paths are canonical virtual ones. Every method throws {@link VolumeError}: `not_found`, `not_directory`,
 * `is_directory`, or `permission_denied` for a link, a device, a pipe or a socket.
 */
export interface Tree {
  /** The real host path of the root. */
  readonly root: string;
  readonly containment: Containment;
  /** Whether links that stay inside the root are followed. */
  readonly followsLinks: boolean;
  /** The path itself, or, where links are followed, the path without links that it leads to. The rest may be missing. */
  locate(path: string): string;
  openDirectory(path: string): Directory;
  /** As {@link openDirectory}, creating what is missing on the way. */
  makeDirectory(path: string, making: Making): Directory;
  openFile(path: string): OpenFile;
}
