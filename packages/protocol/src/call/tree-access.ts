import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import type { CallOptions } from "../types/options.js";
import type { Filesystem } from "../types/protocol.js";
import { canonicalPath } from "../paths/path.js";
import type { FileBelow } from "../relocation/ends.js";

/**
 * What this package's own backends offer each other below the protocol: an enumeration that knows nothing of what an agent
 * may see, and the removal of empty directories.
 */
export interface TreeAccess {
  /** Every file below a directory, complete or thrown. Nothing for a path that is no directory. */
  filesBelow(directory: string, call: CallOptions): Promise<FileBelow[]>;
  /** Removes a directory and those below it as far as they are empty. */
  removeEmpty(directory: string, call: CallOptions, unlisted?: Unlisted): Promise<void>;
  /** Returns whether a path is a mounted route or leads to one, also of a router that is mounted itself. Only routers have it. */
  isStructure?(path: string): boolean;
}

/** What becomes of that which no listing shows, such as a link: it goes with a directory that is deleted, not with one whose files were moved. */
export type Unlisted = "removed" | "kept";

/** Where a backend keeps its {@link TreeAccess}. Registered, so that two copies of this package know each other's. */
export const TREE_ACCESS = Symbol.for("@fs/protocol/tree-access");

/** Directories listed at once. */
const WIDTH = 8;

/** The tree access of a backend: its own, or a walk through its listings. */
export function treeAccessOf(backend: Filesystem): TreeAccess {
  const own: unknown = Reflect.get(backend, TREE_ACCESS);
  return isTreeAccess(own) ? own : walkOf(backend);
}

/** Throws `permission_denied` for a mount, and a directory that leads to one: they are no files of any backend. */
export function refuseStructure(tree: Pick<TreeAccess, "isStructure">, path: string): void {
  if (tree.isStructure?.(path) !== true) return;
  throw new VolumeError(
    "permission_denied",
    `${quote(path)} is a mounted route, or holds one, and cannot be removed or replaced.`,
  );
}

function isTreeAccess(value: unknown): value is TreeAccess {
  return typeof value === "object" && value !== null && "filesBelow" in value;
}

function walkOf(backend: Filesystem): TreeAccess {
  return {
    async filesBelow(directory, call) {
      const files: FileBelow[] = [];
      for (let level = [directory]; level.length > 0;) {
        const listed = await mapConcurrently(level, WIDTH, (path) =>
          entriesOf(backend, path, path === directory, call),
        );
        level = [];
        for (const { path, size, directory: isDirectory } of listed.flat())
          if (isDirectory) level.push(path);
          else files.push({ path, size });
      }
      return files;
    },
    // The protocol cannot remove a directory only where it is empty, and one that others fill meanwhile must stay.
    async removeEmpty() {},
  };
}

async function entriesOf(
  backend: Filesystem,
  path: string,
  isRoot: boolean,
  call: CallOptions,
): Promise<Array<FileBelow & { directory: boolean }>> {
  const listed = await backend.ls(path, call);
  if (listed.error !== undefined) {
    // A file as the root has no children; a directory that has vanished meanwhile holds nothing.
    if (listed.code === "not_found" || (isRoot && listed.code === "not_directory")) return [];
    throw new VolumeError(listed.code, listed.error, { path });
  }
  if (!isComplete(listed)) throw incomplete(path);
  return listed.files.map((entry) => {
    const canonical = canonicalPath(entry.path);
    if (canonical.failure !== undefined) throw incomplete(path);
    const directory = entry.is_dir === true || entry.path.endsWith("/");
    return { path: canonical.path, size: entry.size, directory };
  });
}

/** Whether a listing shows all there is. */
export function isComplete({
  truncated,
  warnings,
}: {
  truncated?: boolean;
  warnings?: readonly string[];
}): boolean {
  return truncated !== true && warnings === undefined;
}

/** The refusal of a call that would rest on a listing that leaves something out. */
export function incomplete(path: string): VolumeError {
  return new VolumeError(
    "unavailable",
    "The directory could not be listed completely, so nothing was changed.",
    { path },
  );
}
