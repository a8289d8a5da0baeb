import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from "node:fs";
import { basenameOf, parentOf, segmentsOf, VolumeError } from "@fs/protocol/author";
import { makeOne, makeRoot, type Making } from "./make-directory.js";
import { errnoOf, isAboutPath, linkRefused, requireRegular, specialRefused } from "./refusals.js";
import type { Directory, OpenFile, Tree } from "./tree.js";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Linux: names a file without opening it, so that no device or pipe notices. From `fcntl.h`; Node has no constant for it. */
const O_PATH = 0x20_0000;

/**
 * Reaches files by descriptor, Linux only. A path is opened with `O_PATH`, and the kernel says in `/proc/self/fd` where
 * what was opened really lies: only the very place that was asked for counts, so no link was followed anywhere on the way.
 * From then on the descriptor is used, never the path, and a change of the tree has nothing left to redirect.
 */
export class DescriptorTree implements Tree {
  readonly root: string;
  readonly containment = "race-free";
  readonly followsLinks = false;
  readonly #prefix: string;

  constructor(root: string) {
    this.root = root;
    this.#prefix = root === "/" ? "" : root;
  }

  /** Returns whether this way works for a directory: Linux, with `/proc` mounted. */
  static supports(directory: string): boolean {
    if (process.platform !== "linux" || !directory.isWellFormed()) return false;
    let fd: number | undefined;
    try {
      fd = openSync(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW);
      return placeOf(fd) === directory;
    } catch (error) {
      if (!isAboutPath(error)) throw error;
      return false;
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  locate(path: string): string {
    return path;
  }

  openDirectory(path: string): Directory {
    const fd = this.#openAtOnce(path, O_DIRECTORY) ?? this.#walk(path, undefined);
    return new DescribedDirectory(fd);
  }

  makeDirectory(path: string, making: Making): Directory {
    const fd = this.#openAtOnce(path, O_DIRECTORY);
    if (fd !== undefined) return new DescribedDirectory(fd);
    makeRoot(this.root, making);
    return new DescribedDirectory(this.#walk(path, making));
  }

  openFile(path: string): OpenFile {
    const handle = this.#openAtOnce(path, 0) ?? this.#openInParent(path);
    try {
      const stats = fstatSync(handle, { bigint: true });
      requireRegular(stats, path);
      return { fd: openSync(`/proc/self/fd/${handle}`, O_RDONLY | O_NONBLOCK), stats };
    } finally {
      closeSync(handle);
    }
  }

  /** The common case in two system calls, whatever the depth. `undefined`: the walk must find out why not. */
  #openAtOnce(path: string, flags: number): number | undefined {
    const expected = path === "/" ? this.root : this.#prefix + path;
    let fd: number | undefined;
    try {
      fd = openSync(expected, O_PATH | O_NOFOLLOW | flags);
      if (placeOf(fd) === expected) return fd;
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      if (isAboutPath(error)) return undefined;
      throw error;
    }
    closeSync(fd);
    return undefined;
  }

  #openInParent(path: string): number {
    const parent = this.openDirectory(parentOf(path));
    try {
      return openSync(parent.at(basenameOf(path)), O_PATH | O_NOFOLLOW);
    } catch (error) {
      throw errnoOf(error) === "ENOENT" ? new VolumeError("not_found") : error;
    } finally {
      parent.close();
    }
  }

  /** Segment by segment, each opened in the one before. Returns the descriptor of the last. */
  #walk(path: string, making: Making | undefined): number {
    let fd = this.#openRoot();
    let walked = "";
    for (const segment of segmentsOf(path)) {
      walked += `/${segment}`;
      try {
        const next = stepInto(`/proc/self/fd/${fd}/${segment}`, walked, making);
        closeSync(fd);
        fd = next;
      } catch (error) {
        closeSync(fd);
        throw error;
      }
    }
    return fd;
  }

  #openRoot(): number {
    let fd: number | undefined;
    try {
      fd = openSync(this.root, O_PATH | O_DIRECTORY | O_NOFOLLOW);
      if (placeOf(fd) === this.root) return fd;
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      throw errnoOf(error) === "ENOENT" ? new VolumeError("not_found") : error;
    }
    closeSync(fd);
    throw new VolumeError("not_found");
  }
}

/** Where the kernel says that an open file lies now. */
function placeOf(fd: number): string {
  return readlinkSync(`/proc/self/fd/${fd}`);
}

function stepInto(host: string, virtual: string, making: Making | undefined): number {
  try {
    return openSync(host, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" && making !== undefined) {
      makeOne(host, making);
      return stepInto(host, virtual, undefined);
    }
    if (code === "ENOENT") throw new VolumeError("not_found");
    if (code !== "ENOTDIR" && code !== "ELOOP") throw error;
    const stats = lstatSync(host, { throwIfNoEntry: false });
    throw stats?.isSymbolicLink() === true
      ? linkRefused(virtual)
      : new VolumeError("not_directory");
  }
}

class DescribedDirectory implements Directory {
  readonly self: string;
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
    this.self = `/proc/self/fd/${fd}`;
  }

  at(name: string): string {
    return `${this.self}/${name}`;
  }

  atBytes(name: Buffer): Buffer {
    return Buffer.concat([Buffer.from(`${this.self}/`), name]);
  }

  openFile(name: string, path: string): OpenFile {
    const fd = openNamed(this.at(name), path);
    try {
      const stats = fstatSync(fd, { bigint: true });
      requireRegular(stats, path);
      return { fd, stats };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function openNamed(host: string, path: string): number {
  try {
    return openSync(host, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT") throw new VolumeError("not_found");
    if (code === "ELOOP") throw linkRefused(path);
    // A socket.
    throw code === "ENXIO" ? specialRefused(path) : error;
  }
}
