import { constants, closeSync, fstatSync, lstatSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { basenameOf, parentOf, segmentsOf, VolumeError } from "@fs/protocol/author";
import { makeOne, makeRoot, type Making } from "./make-directory.js";
import { linkRefused, requireRegular } from "./refusals.js";
import type { Directory, OpenFile, Tree } from "./tree.js";
import { windowsNameProblem } from "./windows-names.js";

/**
 * Reaches files by path, for platforms without `/proc/self/fd`. Every segment is looked at before use and the parent's
 * real path after it; a file that was opened must be the one that was looked at. Holds for a tree at rest, and leaves a
 * window to somebody who swaps directories for links while a call runs.
 */
export class PathTree implements Tree {
  readonly root: string;
  readonly containment = "best-effort";
  readonly followsLinks = false;
  readonly #windows: boolean;

  constructor(root: string, platform: NodeJS.Platform = process.platform) {
    this.root = root;
    this.#windows = platform === "win32";
  }

  locate(path: string): string {
    return path;
  }

  openDirectory(path: string): Directory {
    return this.#walk(path, undefined);
  }

  makeDirectory(path: string, making: Making): Directory {
    makeRoot(this.root, making);
    return this.#walk(path, making);
  }

  openFile(path: string): OpenFile {
    return this.openDirectory(parentOf(path)).openFile(basenameOf(path), path);
  }

  #walk(path: string, making: Making | undefined): NamedDirectory {
    let host = this.root;
    requireDirectory(host, "/");
    let walked = "";
    for (const segment of segmentsOf(path)) {
      if (this.#windows) refuseName(segment);
      host = join(host, segment);
      walked += `/${segment}`;
      if (making !== undefined) makeOne(host, making);
      requireDirectory(host, walked);
    }
    if (realpathSync.native(host) !== host) throw linkRefused(path);
    return new NamedDirectory(host, this.#windows);
  }
}

function refuseName(name: string): void {
  const problem = windowsNameProblem(name);
  if (problem !== undefined)
    throw new VolumeError("invalid_path", `A name in the path ${problem}.`);
}

function openFlags(): number {
  // Windows has neither flag.
  return constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
}

function requireDirectory(host: string, virtual: string): void {
  const stats = lstatSync(host, { throwIfNoEntry: false });
  if (stats === undefined) throw new VolumeError("not_found");
  if (stats.isSymbolicLink()) throw linkRefused(virtual);
  if (!stats.isDirectory()) throw new VolumeError("not_directory");
}

class NamedDirectory implements Directory {
  readonly self: string;
  readonly #windows: boolean;

  constructor(host: string, windows: boolean) {
    this.self = host;
    this.#windows = windows;
  }

  at(name: string): string {
    return join(this.self, name);
  }

  atBytes(name: Buffer): Buffer {
    return Buffer.concat([Buffer.from(`${this.self}/`), name]);
  }

  openFile(name: string, path: string): OpenFile {
    if (this.#windows) refuseName(name);
    const host = this.at(name);
    const before = lstatSync(host, { bigint: true, throwIfNoEntry: false });
    if (before === undefined) throw new VolumeError("not_found");
    requireRegular(before, path);
    const fd = openSync(host, openFlags());
    try {
      const stats = fstatSync(fd, { bigint: true });
      const same = stats.ino === before.ino && stats.dev === before.dev;
      if (!same || realpathSync.native(this.self) !== this.self) throw linkRefused(path);
      requireRegular(stats, path);
      return { fd, stats };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  close(): void {
    // A path holds nothing open.
  }
}
