import { setImmediate as turn } from "node:timers/promises";
import { mutant, type Mutant } from "./mutant.js";

const encoder = new TextEncoder();

/** Right file by file, as long as no client looks at two of them or in between. */
export const TWO_FILE_MUTANTS: readonly Mutant[] = [
  {
    ...mutant("move/over-removes-first", "M4", "What is moved over is removed first.", (inner) => ({
      move: async (from, to, options) => {
        if (options?.overwrite === true) {
          await inner.delete(to);
          await turn();
        }
        return inner.move(from, to, options);
      },
    })),
    by: "conc/moves-over-one",
  },
  {
    ...mutant("move/over-by-way-of", "A7", "What is moved is elsewhere for a while.", (inner) => ({
      move: async (from, to, options) => {
        if (options?.overwrite !== true) return inner.move(from, to, options);
        const left = await inner.move(from, `${from}.moving`);
        if (left.error !== undefined) return left;
        await turn();
        return inner.move(`${from}.moving`, to, options);
      },
    })),
    by: "conc/moves-over-one",
  },
  {
    ...mutant(
      "version/of-a-moment-later",
      "F2",
      "read asks for the version afterwards.",
      (inner) => ({
        read: async (path, ...rest) => {
          const result = await inner.read(path, ...rest);
          if (result.error !== undefined) return result;
          await turn();
          const version = (await inner.stat(path)).info?.version;
          return version === undefined ? result : { ...result, version };
        },
      }),
    ),
    by: "conc/transfers",
  },
  {
    ...mutant(
      "version/compared-before",
      "W5",
      "write compares first and then stores.",
      (inner) => ({
        write: async (path, content, options) => {
          const wanted = options?.ifVersion;
          if (wanted === undefined) return inner.write(path, content, options);
          const version = (await inner.stat(path)).info?.version;
          if (version !== wanted) return inner.write(path, content, options);
          await turn();
          const [stored] = await inner.uploadFiles([[path, encoder.encode(content)]]);
          return { path, ...(stored?.version === undefined ? {} : { version: stored.version }) };
        },
      }),
    ),
    by: "conc/transfers",
  },
];
