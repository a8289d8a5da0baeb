import { setImmediate as turn } from "node:timers/promises";
import { MemoryVolume } from "@fs/protocol";
import type { PutCondition } from "@fs/protocol/author";
import { faultyVolume, mutant, overlay, type Mutant } from "./mutant.js";
import { isDirectory, twoStepMove } from "./two-step-move.js";
import { MadeVersions } from "./own-versions.js";

/** Bytes that a storage keeps in the row of a file; what is larger is an object. */
const INLINE = 256;

/** What is put together of several storages: a store for each directory at the top, one for small files and one for large. */
export const ASSEMBLED_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "move/between-stores-unseen",
      "M5",
      "Between two directories at the top a move copies, and then removes the source in whatever version it has by then.",
      (inner) =>
        twoStepMove(
          inner,
          async (from, to) =>
            from.split("/")[1] !== to.split("/")[1] && !(await isDirectory(inner, from)),
        ),
    ),
    by: "conc/edit-against-move",
  },
  {
    ...faultyVolume(
      "upload/gap-while-growing",
      "A7",
      "A file that becomes too large for its row is taken out of it before the object is there.",
      () => {
        const inner = new MemoryVolume();
        return overlay(inner, {
          put: async (path: string, bytes: Uint8Array, condition: PutCondition) => {
            const before = condition.ifVersion === undefined ? await inner.get(path) : undefined;
            const grows = before !== undefined && before.bytes.length <= INLINE;
            if (!grows || bytes.length <= INLINE || condition.ifAbsent === true)
              return inner.put(path, bytes, condition);
            await inner.remove(path, {});
            await turn();
            return inner.put(path, bytes, condition);
          },
          putMany: undefined,
        });
      },
    ),
    by: "conc/no-torn-read",
  },
  {
    ...faultyVolume(
      "version/counted-by-size",
      "F2",
      "Small files and large ones have a counter each: a file that grows may get a version that it had.",
      () => {
        const counts = { small: 0, large: 0 };
        return new MadeVersions((_, bytes) =>
          String(bytes.length <= INLINE ? ++counts.small : ++counts.large),
        );
      },
    ),
    by: "version/of-other-sizes",
  },
];
