import { refuseStructure, treeAccessOf, type TreeAccess } from "../call/tree-access.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { VolumeError } from "../errors/volume-error.js";
import { named } from "../relocation/copy-files.js";
import { isFileOf, type MountTable, toInner, toOuter, visitsOf } from "./mount-table.js";

/** Mounts walked at once. */
const WIDTH = 8;

/** The trees of all mounts as one. */
export function routedTree(table: MountTable): TreeAccess {
  return {
    async filesBelow(directory, call) {
      const found = await mapConcurrently(
        visitsOf(table, directory),
        WIDTH,
        async ({ mount, inner }) => {
          const files = await treeAccessOf(mount.backend)
            .filesBelow(inner, call)
            .catch((error: unknown) => {
              throw named(error, toOuter(mount, inner));
            });
          return files
            .map((file) => ({ ...file, path: toOuter(mount, file.path) }))
            .filter(({ path }) => isFileOf(table, mount, path));
        },
      );
      return found.flat();
    },
    async removeEmpty(directory, call, unlisted) {
      const mount = table.ownerOf(directory);
      const inner = toInner(mount, directory);
      if (inner !== "/") await treeAccessOf(mount.backend).removeEmpty(inner, call, unlisted);
    },
    isStructure(path) {
      if (table.isStructure(path)) return true;
      const mount = table.ownerOf(path);
      return treeAccessOf(mount.backend).isStructure?.(toInner(mount, path)) === true;
    },
  };
}

/** Throws `permission_denied` for what cannot be removed or written over: the root, and what {@link refuseStructure} names. */
export function refuseFixed(tree: TreeAccess, path: string): void {
  if (path === "/")
    throw new VolumeError("permission_denied", "The root directory cannot be removed or replaced.");
  refuseStructure(tree, path);
}
