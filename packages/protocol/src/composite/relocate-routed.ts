import { optionsOf } from "../call/options-of.js";
import { failureAbout, quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { isWithin } from "../paths/segments.js";
import { filesystemEnd } from "../relocation/filesystem-end.js";
import { relocateDirectory } from "../relocation/relocate-directory.js";
import { type Kind, relocateFiles } from "../relocation/relocate.js";
import type { TransferOptions } from "../types/options.js";
import type { Filesystem } from "../types/protocol.js";
import type { TransferResult } from "../types/results.js";
import { type Mount, type MountTable, toInner, toOuter } from "./mount-table.js";
import { outward, outwardFailure } from "./rewrite-paths.js";
import { refuseFixed, routedTree } from "./tree-routed.js";

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
  const [source, target] = [table.ownerOf(from), table.ownerOf(to)];
  const method = source.backend[kind];
  const inner = [toInner(source, from), toInner(target, to)] as const;
  // Two mounts of one backend are one storage, which knows what overlaps there. One path of it by two names is left to M9.
  const together =
    source === target || (source.backend === target.backend && inner[0] !== inner[1]);
  if (together && !table.isStructure(from) && method !== undefined) {
    if (isWithin(inner[1], inner[0]))
      throw new VolumeError("invalid_argument", `${quote(from)} cannot be put at or below itself.`);
    const result = await method.call(source.backend, ...inner, options);
    return source === target
      ? outward(source, result, inner)
      : outwardBetween(source, target, result, inner);
  }
  const { signal, overwrite = false } = options;
  const end = filesystemEnd(all, optionsOf(signal));
  const relocation = {
    kind,
    source: end,
    target: end,
    undo: filesystemEnd(all, {}),
    signal,
    overwrite,
  };
  const standing = await end.stat(from);
  if (standing === undefined) throw new VolumeError("not_found");
  const files =
    standing.kind === "file"
      ? await relocateFiles({ ...relocation, tree: false }, [{ from, to }])
      : await relocateDirectory(relocation, from, to);
  return { path: to, files };
}

/** The result of a call between two mounts of one backend: what lies at the destination is named as the target's. */
function outwardBetween(
  source: Mount,
  target: Mount,
  result: TransferResult,
  inner: readonly [from: string, to: string],
): TransferResult {
  if (result.error === undefined) return outward(target, result, inner);
  const named = failureAbout(result, (path) =>
    toOuter(isWithin(path, inner[1]) ? target : source, path),
  );
  const [from, to] = inner;
  return named ?? outwardFailure(target, outwardFailure(source, result, [from]), [to]);
}
