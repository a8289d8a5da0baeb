import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { isWithin } from "../paths/segments.js";
import { filesystemEnd } from "../relocation/filesystem-end.js";
import { relocateDirectory } from "../relocation/relocate-directory.js";
import { type Kind, relocateFiles } from "../relocation/relocate.js";
import type { TransferOptions } from "../types/options.js";
import type { Filesystem } from "../types/protocol.js";
import type { TransferResult } from "../types/results.js";
import { type MountTable, toInner } from "./mount-table.js";
import { refuseFixed, routedTree } from "./tree-routed.js";
import { outward } from "./rewrite-paths.js";

/**
 * Moves or copies within one mount by its backend, and between mounts by the engine that relocates within volumes too.
 *
 * @param all The composite itself, so that mounts below the source come along.
 */
export async function relocateRouted(
  all: Filesystem,
  table: MountTable,
  kind: Kind,
  from: string,
  to: string,
  options: TransferOptions,
): Promise<TransferResult> {
  const tree = routedTree(table);
  if (kind === "move") refuseFixed(tree, from);
  refuseFixed(tree, to);
  if (isWithin(to, from))
    throw new VolumeError("invalid_argument", `${quote(from)} cannot be put at or below itself.`);
  const mount = table.ownerOf(from);
  const method = mount.backend[kind];
  const together = table.ownerOf(to) === mount && !table.isStructure(from);
  if (together && method !== undefined) {
    const inner = [toInner(mount, from), toInner(mount, to)] as const;
    return outward(mount, await method.call(mount.backend, ...inner, options), inner);
  }
  const { signal, overwrite = false } = options;
  const end = filesystemEnd(all, signal === undefined ? {} : { signal });
  const relocation = { kind, source: end, target: end, overwrite };
  const standing = await end.stat(from);
  if (standing === undefined) throw new VolumeError("not_found");
  const files =
    standing.kind === "file"
      ? await relocateFiles({ ...relocation, tree: false }, [{ from, to }])
      : await relocateDirectory(relocation, from, to);
  if (files === 0 && standing.kind === "directory" && kind === "copy")
    throw new VolumeError("not_found", `${quote(from)} holds no file.`);
  return { path: to, files };
}
