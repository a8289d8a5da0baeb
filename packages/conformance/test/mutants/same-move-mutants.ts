import { setImmediate as turn } from "node:timers/promises";
import type { FileDownloadResponse } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { overlay, type Mutant } from "./mutant.js";
import { MadeVersions } from "./own-versions.js";

type Fetched = FileDownloadResponse & { error: null };

/**
 * A storage whose versions are hashes, and a move that copies, removes the source in the version that was copied, and takes its copy
 * back where that is refused: in the version that it stored, which is also that of the same content stored by another call.
 */
function hashedMover(
  takesBack: (files: VolumeBackend, to: string, copy: string, replaced?: Fetched) => Promise<void>,
): VolumeBackend {
  const volume = new MadeVersions((_, bytes) => `hash of ${new TextDecoder().decode(bytes)}`);
  const files = new VolumeBackend(volume);
  let moves = 0;
  const fetch = async (path: string): Promise<Fetched | undefined> => {
    const [fetched] = await files.downloadFiles([path]);
    return fetched?.error === null ? fetched : undefined;
  };
  return overlay(files, {
    move: async (...[from, to, options]: Parameters<VolumeBackend["move"]>) => {
      const source = await fetch(from);
      const replaced = options?.overwrite === true ? await fetch(to) : undefined;
      if (source?.version === undefined) return files.move(from, to, options);
      const condition =
        replaced?.version === undefined ? { ifAbsent: true } : { ifVersion: replaced.version };
      const [stored] = await files.uploadFiles([[to, source.content, condition]]);
      if (stored?.error !== null) return files.move(from, to, options);
      // Of two that meet the one that stored first may be the one that is late.
      for (let wait = moves++ % 2 === 0 ? 4 : 1; wait > 0; wait--) await turn();
      const removed = await files.delete(from, { ifVersion: source.version });
      if (removed.error === undefined) return { path: to, files: 1 };
      await takesBack(files, to, source.version, replaced);
      return removed;
    },
  });
}

/** Moves that cannot tell their own copy from that of another call. */
export const SAME_MOVE_MUTANTS: readonly Mutant[] = [
  {
    name: "move/restores-over-the-same-content",
    rule: "M6",
    bug: "What was replaced is restored over a copy of the same content, which another call has moved there.",
    create: () =>
      hashedMover(async (files, to, copy, replaced) => {
        if (replaced !== undefined)
          await files.uploadFiles([[to, replaced.content, { ifVersion: copy }]]);
      }),
    by: "conc/one-file-to-one-place",
  },
  {
    name: "move/removes-the-same-content",
    rule: "M6",
    bug: "A copy that was created is removed, although another call has put the same content in its place and moved it.",
    create: () =>
      hashedMover(async (files, to, copy, replaced) => {
        if (replaced === undefined) await files.delete(to, { ifVersion: copy });
      }),
    by: "conc/one-file-to-one-place",
  },
  {
    name: "move/removes-what-was-moved-there",
    rule: "M5",
    bug: "A source is removed in the version that was copied, which what another call has moved there has as well.",
    create: () => hashedMover(async () => undefined),
    by: "conc/files-over-each-other",
  },
];
