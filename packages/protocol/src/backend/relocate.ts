import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { isWithin } from "../paths/segments.js";
import type { TransferOptions } from "../types/options.js";
import type { TransferResult } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { statPath } from "./find.js";
import { relocateFile, type Kind } from "./relocate-file.js";
import { relocateTree } from "./relocate-tree.js";

/**
 * Moves or copies a file, or a directory with all below it. A move removes its source only once everything has arrived.
 * Throws `not_found`, `already_exists`, `is_directory`, `not_directory`, `invalid_argument`, `conflict`.
 */
export async function relocate(
  context: VolumeContext,
  kind: Kind,
  from: string,
  to: string,
  options: TransferOptions,
): Promise<TransferResult> {
  if (isWithin(to, from)) {
    throw new VolumeError("invalid_argument", `${quote(from)} cannot be put at or below itself.`);
  }
  const source = await statPath(context.volume, from, options);
  if (source === undefined) throw new VolumeError("not_found");
  if (source.kind === "file") {
    await relocateFile(context, kind, from, to, options);
    return { path: to, files: 1 };
  }
  return { path: to, files: await relocateTree(context, kind, from, to, options) };
}
