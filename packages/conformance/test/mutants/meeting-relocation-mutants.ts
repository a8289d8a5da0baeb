import { setImmediate as turn } from "node:timers/promises";
import { failure } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";
import { isDirectory, twoStepMove } from "./two-step-move.js";

/** Levels of a directory that are walked. */
const DEPTH = 16;

/** Moves and copies that meet others, their own destination, or a directory of an odd form. */
export const MEETING_RELOCATION_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "move/below-a-double-slash",
      "M1",
      "Over the root files get keys that begin with two slashes, and no call reaches them.",
      (inner) => ({
        move: async (from, to, options) => {
          if (to !== "/" || options?.overwrite !== true || !(await isDirectory(inner, from)))
            return inner.move(from, to, options);
          const { files = [] } = await inner.glob("**", from);
          await inner.delete(from);
          return { path: to, files: files.length };
        },
      }),
    ),
    by: "move/over-the-root",
  },
  {
    ...mutant(
      "move/never-upwards",
      "M2",
      "A directory is refused over the one above it, whatever is in them.",
      (inner) => ({
        move: async (from, to, options) =>
          from.startsWith(`${to}/`) &&
          options?.overwrite === true &&
          (await isDirectory(inner, from))
            ? failure("invalid_argument", to)
            : inner.move(from, to, options),
      }),
    ),
    by: "move/up-to-the-one-above",
  },
  {
    ...mutant(
      "move/removes-what-arrived-within",
      "A7",
      "A move ends with the removal of the whole directory that it came from.",
      (inner) => ({
        move: async (from, to, options) => {
          const answer = await inner.move(from, to, options);
          if (
            answer.error === undefined &&
            options?.overwrite === true &&
            from.startsWith(`${to}/`)
          )
            await inner.delete(from);
          return answer;
        },
      }),
    ),
    by: "move/up-to-the-one-above",
  },
  {
    ...mutant(
      "copy/empty-files-not-put-back",
      "M2",
      "Of what a refused copy had replaced, files without content are not put back.",
      (inner) => ({
        copy: async (from, to, options) => {
          const { files = [] } = await inner.glob("**", to);
          const answer = await inner.copy(from, to, options);
          if (answer.error !== undefined && options?.overwrite === true)
            for (const { path, size } of files) if (size === 0) await inner.delete(path);
          return answer;
        },
      }),
    ),
    by: "copy/over-parts-refused",
  },
  {
    ...mutant(
      "copy/walk-of-sixteen-levels",
      "M1",
      "A copy of a directory walks sixteen levels and no more.",
      (inner) => ({
        copy: async (from, to, options) => {
          const answer = await inner.copy(from, to, options);
          if (answer.error !== undefined) return answer;
          const { files = [] } = await inner.glob("**", to);
          for (const { path } of files)
            if (path.slice(to.length).split("/").length > DEPTH) await inner.delete(path);
          return answer;
        },
      }),
    ),
    by: "copy/deep-directory",
  },
  {
    ...mutant(
      "move/source-that-vanished-is-removed",
      "M5",
      "A source that is gone when it is to be removed counts as removed: of two moves of a directory both leave a copy.",
      (inner) => twoStepMove(inner, (from) => isDirectory(inner, from)),
    ),
    by: "conc/directory-to-two-places",
  },
  {
    ...mutant(
      "copy/clears-where-it-failed",
      "A7",
      "A copy of a directory that fails removes what is at its destination, even if another client has put it there.",
      (inner) => ({
        copy: async (from, to, options) => {
          if (!(await isDirectory(inner, from)) || (await isDirectory(inner, to)))
            return inner.copy(from, to, options);
          await turn();
          const answer = await inner.copy(from, to, options);
          if (answer.error !== undefined && options === undefined) await inner.delete(to);
          return answer;
        },
      }),
    ),
    by: "conc/file-where-a-directory-goes",
  },
];
