import type { MemoryBackend } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

type Relocate = MemoryBackend["move"];

/** Puts each file of a directory where it goes, one after the other, as if none were in another's way. */
function oneByOne(inner: MemoryBackend, kind: "move" | "copy"): Relocate {
  return async (from, to, options) => {
    const files = (await inner.glob("**", from)).files ?? [];
    const above = from.startsWith(`${to}/`) && options?.overwrite === true;
    if (!above || files.length === 0) return inner[kind](from, to, options);
    for (const { path } of files) {
      const [read] = await inner.downloadFiles([path]);
      const target = to + path.slice(from.length);
      await inner.uploadFiles([[target, read?.content ?? new Uint8Array()]]);
      if (kind === "move") await inner.delete(path);
    }
    return { path: to, files: files.length };
  };
}

/** Says that a directory has arrived whose files no call can name any more. */
function outOfReach(inner: MemoryBackend, kind: "move" | "copy"): Relocate {
  return async (from, to, options) => {
    const result = await inner[kind](from, to, options);
    const tooDeep = result.code === "invalid_path" && (await inner.stat(to)).code === "not_found";
    if (!tooDeep) return result;
    if (kind === "move") await inner.delete(from);
    return { path: to, files: 1 };
  };
}

/** Directories that are relocated as if their files had nothing to do with each other, or with the limits of a path. */
export const RELOCATED_TREE_MUTANTS: readonly Mutant[] = (["move", "copy"] as const).flatMap(
  (kind) => [
    {
      ...mutant(
        `${kind}/over-the-one-above`,
        "M2",
        "Files of a directory replace others of it that have not gone yet.",
        (inner) => ({ [kind]: oneByOne(inner, kind) }),
      ),
      by: `${kind}/over-the-one-above`,
    },
    {
      ...mutant(
        `${kind}/paths-too-long`,
        "M1",
        "A directory arrives where its files have paths that are too long.",
        (inner) => ({ [kind]: outOfReach(inner, kind) }),
      ),
      by: `${kind}/paths-too-long`,
    },
  ],
);
