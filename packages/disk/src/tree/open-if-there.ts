import { VolumeError } from "@fs/protocol/author";
import type { OpenFile, Tree } from "./tree.js";

/** The file, open; `undefined` where nothing is, or something below a file. Throws what else {@link Tree.openFile} throws. */
export function openIfThere(tree: Tree, path: string): OpenFile | undefined {
  try {
    return tree.openFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns whether an error says that nothing is there. */
export function isMissing(error: unknown): boolean {
  return (
    VolumeError.isInstance(error) && (error.code === "not_found" || error.code === "not_directory")
  );
}
