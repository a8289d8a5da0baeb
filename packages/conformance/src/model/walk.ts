import type { CaseContext } from "../engine/case-context.js";
import type { Coverage } from "./coverage.js";
import type { FileModel } from "./file-model.js";
import type { Cut, Target } from "./operations.js";
import type { EditVerdict } from "./text-rules.js";

const encoder = new TextEncoder();

/** Where one sequence runs: its own directory, its model. */
export interface Walk {
  readonly context: CaseContext;
  readonly model: FileModel;
  /** The directory of the sequence. */
  readonly base: string;
  readonly coverage: Coverage;
}

/** The file that a target means now. */
export function pathOf({ model, base }: Walk, { existing, pick, names }: Target): string {
  const files = model.below(base);
  const file = files[pick % Math.max(1, files.length)];
  return existing && file !== undefined ? file : `${base}/${names.join("/")}`;
}

/** The file that a target means, or the directory it is in. */
export function placeOf(walk: Walk, target: Target, parent: boolean): string {
  const path = pathOf(walk, target);
  const up = path.slice(0, path.lastIndexOf("/"));
  return parent && up.length > walk.base.length ? up : path;
}

/**
 * Returns whether the rules leave open what happens here: collisions where the storage cannot tell, and empty directories
 * that may remain where they are real.
 */
export function isOpen({ model, context }: Pick<Walk, "model" | "context">, path: string): boolean {
  if (context.profile.collisions === "allowed" && model.collides(path)) return true;
  return (
    context.profile.directories === "real" &&
    model.everDirectories.has(path) &&
    !model.isDirectory(path)
  );
}

/** A text to look for: cut out of the file, or of its own. Never half a character, unless of its own. */
export function cutFrom(text: string, { at, length, own }: Cut, fallback: string): string {
  if (own !== undefined) return own;
  const characters = Array.from(text);
  if (characters.length === 0) return fallback;
  const start = at % characters.length;
  return characters.slice(start, start + length).join("");
}

/** Bytes from which on a file of a sequence no longer grows: edits of all occurrences multiply, and limits are no concern here. */
const MOST_BYTES = 64 * 1024;

/** Whether an edit would make more of a text than a backend has to take, or a sequence should carry along. */
export function growsTooLong({ context }: Pick<Walk, "context">, verdict: EditVerdict): boolean {
  const { fileBytes = MOST_BYTES } = context.profile.limits;
  return "text" in verdict && encoder.encode(verdict.text).length > Math.min(fileBytes, MOST_BYTES);
}
