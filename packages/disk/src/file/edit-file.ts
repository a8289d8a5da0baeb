import { setTimeout as delay } from "node:timers/promises";
import { isTextBytes, type Replacement } from "@fs/protocol/hooks";
import { VolumeError, type EditCondition, type VolumeEdit } from "@fs/protocol/author";
import { openIfThere } from "../tree/open-if-there.js";
import type { Tree } from "../tree/tree.js";
import { editBytes } from "./edit-bytes.js";
import { putFile, type PutOptions } from "./put-file.js";
import { readWhole } from "./read-bytes.js";
import { versionOf } from "./version.js";

/** Lost rounds after which an edit gives up. */
const MAX_ROUNDS = 200;
/** The longest pause between two rounds, in milliseconds. */
const MAX_PAUSE = 20;

/**
 * Replaces text in a file as a compare-and-swap, again and again while others get in between. `undefined` for whatever
 * needs an explanation, and nothing is changed then. Throws `conflict` for an edit that applied before somebody else's.
 */
export async function editFile(
  tree: Tree,
  path: string,
  edits: readonly Replacement[],
  condition: EditCondition,
  options: PutOptions,
): Promise<VolumeEdit | undefined> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (round > 0) await delay(Math.random() * Math.min(MAX_PAUSE, round));
    const outcome = await editOnce(tree, path, edits, condition, options);
    if (outcome === "declined") {
      if (round > 0) throw new VolumeError("conflict");
      return undefined;
    }
    if (outcome !== "overtaken") return outcome;
  }
  throw new VolumeError("conflict");
}

async function editOnce(
  tree: Tree,
  path: string,
  edits: readonly Replacement[],
  { ifVersion, signal, maxBytes }: EditCondition,
  options: PutOptions,
): Promise<VolumeEdit | "declined" | "overtaken"> {
  const file = openIfThere(tree, path);
  if (file === undefined) return "declined";
  const version = versionOf(file.stats);
  const bytes = await readWhole(file, maxBytes, signal);
  if (ifVersion !== undefined && ifVersion !== version) return "declined";
  if (!isTextBytes(bytes)) return "declined";
  const edited = editBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), edits);
  if (edited === undefined) return "declined";
  const size = lengthOf(edited.parts);
  if (size > maxBytes) return "declined";
  const { occurrences } = edited;
  if (edited.unchanged) return { occurrences, version, size };
  try {
    const condition = { ifVersion: version, signal };
    const stored = await putFile(tree, path, () => edited.parts, condition, options);
    return { occurrences, version: stored.version, size };
  } catch (error) {
    const lost = VolumeError.isInstance(error) && error.code === "conflict";
    if (lost && ifVersion === undefined) return "overtaken";
    throw error;
  }
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
