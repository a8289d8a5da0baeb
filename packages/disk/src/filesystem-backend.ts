import { posix, resolve } from "node:path";
import {
  checkedConfiguration,
  VolumeBackend,
  type VolumeBackendOptions,
  warnOnce,
} from "@fs/protocol/author";
import { diskVolume } from "./disk-volume.js";
import { LinkedTree } from "./tree/linked-tree.js";
import { openTree } from "./tree/open-tree.js";
import type { Containment, Tree } from "./tree/tree.js";

const MEGABYTE = 1024 * 1024;

export interface FilesystemBackendOptions extends VolumeBackendOptions {
  /**
   * The host directory that is served. Made by the first write if it is missing. Default, when the option is not there at all:
   * the working directory. `undefined` and `""`, as of a variable that is not set, are a TypeError.
   */
  rootDir?: string;
  /**
   * `true` (default): paths are virtual, `/` is `rootDir`, and nothing outside can be reached.
   *
   * `false`: paths are those of the host, relative ones resolved against `rootDir`, and links are followed. **This gives
   * no security whatsoever**: the agent reads and writes whatever the process may.
   */
  virtualMode?: boolean;
  /**
   * Bytes that a file may have to be written, edited, downloaded or read whole; more is `too_large`. Pages of text and
   * searches have no limit. Default 104,857,600 (100 MiB).
   */
  maxFileBytes?: number;
  /**
   * Megabytes of 1024 × 1024 bytes, as `deepagents` has it.
   *
   * @deprecated Use {@link maxFileBytes}, which wins.
   */
  maxFileSizeMb?: number;
  /**
   * `"reject"` (default): symbolic links are neither followed nor listed. `"inside"`: those that stay inside the root are
   * followed. A link is always deleted as a link.
   */
  symlinks?: "reject" | "inside";
  /** Flush every file, its directory and those made for it to the disk before a change is acknowledged. Default `false`. */
  fsync?: boolean;
  /**
   * The ripgrep to search with: the path of one, or `false` to search without, which takes about three times as long and
   * answers the same. Default: one on `PATH`, else that of the optional package `@vscode/ripgrep`.
   */
  ripgrep?: string | false;
  /** `"best-effort"` forces the portable way of containment, for tests. Default: the best that the platform has. */
  containment?: Containment;
}

const HOST_PATH =
  "A path given to a FilesystemBackend begins with its 'rootDir'. Paths are virtual: '/' is 'rootDir', so leave that part away, or pass 'virtualMode: false'.";

/**
 * Files in a directory of the host, confined to it.
 *
 * @example
 * const backend = new FilesystemBackend({ rootDir: "./workspace" });
 * await backend.write("/notes/today.md", "# Today\n");
 */
export class FilesystemBackend extends VolumeBackend {
  /**
   * `"race-free"` (Linux with `/proc`): no link or swapped directory leads outside, also while others change the tree.
   * `"best-effort"` (elsewhere): the same for a tree at rest; somebody who swaps directories during a call has a window.
   */
  readonly containment: Containment;
  /** `["/"]` when symbolic links are followed: a link is another name for a file, so path permissions refuse to hold here. */
  readonly linkRoots: readonly string[];
  readonly #tree: Tree;

  /** Throws a TypeError for an unknown option, one of the wrong type, an empty `rootDir`, or one that is a file. */
  constructor(options: FilesystemBackendOptions = {}) {
    checkOptions(options);
    const { rootDir = process.cwd(), virtualMode = true, symlinks = "reject" } = options;
    const strict = openTree(virtualMode ? rootDir : "/", options.containment);
    const tree = symlinks === "inside" || !virtualMode ? new LinkedTree(strict) : strict;
    const maxFileBytes =
      options.maxFileBytes ?? Math.floor((options.maxFileSizeMb ?? 100) * MEGABYTE);
    const { fsync = false, ripgrep } = options;
    const volume = diskVolume({ tree, maxFileBytes, fsync, ripgrep });
    const resolvePath = virtualMode ? seenFromTheHost(rootDir) : hostPaths(rootDir);
    const { writeMode, concurrency, onError } = options;
    super(volume, {
      ...(writeMode === undefined ? {} : { writeMode }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(onError === undefined ? {} : { onError }),
      maxFileBytes,
      resolvePath,
    });
    this.#tree = tree;
    this.linkRoots = tree === strict ? [] : ["/"];
    this.containment = strict.containment;
  }

  /** The real host path of `/`. For subclasses that start processes there; never show it to an agent. */
  protected get hostRoot(): string {
    return this.#tree.root;
  }

  /**
   * The real host path of a virtual directory, for a subclass that needs one, as the working directory of a command. A path
   * is no descriptor: what stands there may change afterwards. Throws `not_found`, `not_directory`, `permission_denied`.
   */
  protected hostDirectory(directory = "/"): string {
    const place = this.#tree.locate(directory);
    this.#tree.openDirectory(place).close();
    return place === "/" ? this.#tree.root : posix.join(this.#tree.root, place);
  }
}

function checkOptions(options: FilesystemBackendOptions): void {
  checkedConfiguration("FilesystemBackend", options, {
    rootDir: "text",
    virtualMode: "flag",
    maxFileBytes: "count",
    maxFileSizeMb: "count",
    symlinks: ["reject", "inside"],
    fsync: "flag",
    ripgrep: "any",
    containment: ["race-free", "best-effort"],
    writeMode: ["create", "overwrite"],
    concurrency: "positive",
    onError: "function",
  });
  if ("rootDir" in options && options.rootDir === undefined)
    throw new TypeError(
      "The option 'rootDir' of FilesystemBackend is undefined. Leave it out to serve the working directory.",
    );
  const { ripgrep } = options;
  if (ripgrep !== undefined && ripgrep !== false && (typeof ripgrep !== "string" || ripgrep === ""))
    throw new TypeError("The option 'ripgrep' of FilesystemBackend must be a path, or false.");
}

/**
 * Leaves virtual paths as they are, and warns of one that begins with the host directory: it would name a tree of that name below the
 * root, which is what programs get that were written for paths of the host.
 */
function seenFromTheHost(rootDir: string): (path: unknown) => unknown {
  const base = resolve(rootDir);
  if (base === "/") return (path) => path;
  return (path) => {
    if (
      typeof path === "string" &&
      path.startsWith(base) &&
      /^(?:\/|$)/.test(path.slice(base.length))
    )
      warnOnce("FS_HOST_PATH", HOST_PATH);
    return path;
  };
}

/** Paths of the host: relative ones count from `rootDir`, and none at all means `rootDir` itself. */
function hostPaths(rootDir: string): (path: unknown) => unknown {
  const base = resolve(rootDir);
  return (path) => {
    if (path === undefined || path === null || path === "") return base;
    if (typeof path !== "string" || path.startsWith("/")) return path;
    const slash = path.endsWith("/") ? "/" : "";
    return posix.resolve(base, path) + slash;
  };
}
