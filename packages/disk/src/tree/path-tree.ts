import {
  constants,
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
} from "node:fs";
import { join } from "node:path";
import { basenameOf, parentOf, segmentsOf, VolumeError } from "@fs/protocol/author";
import { errnoOf, linkRefused, requireRegular } from "./refusals.js";
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
    return this.#walk(path, false);
  }

  makeDirectory(path: string): Directory {
    mkdirSync(this.root, { recursive: true });
    return this.#walk(path, true);
  }

  openFile(path: string): OpenFile {
    return this.openDirectory(parentOf(path)).openFile(basenameOf(path), path);
  }

  #walk(path: string, create: boolean): NamedDirectory {
    let host = this.root;
    requireDirectory(host, "/");
    let walked = "";
    for (const segment of segmentsOf(path)) {
      if (this.#windows) refuseName(segment);
      host = join(host, segment);
      walked += `/${segment}`;
      if (create) makeOne(host);
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

function makeOne(host: string): void {
  try {
    mkdirSync(host);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== "EEXIST") throw code === "ENOTDIR" ? new VolumeError("not_directory") : error;
  }
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
