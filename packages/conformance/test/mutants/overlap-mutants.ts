import { setImmediate as turn } from "node:timers/promises";
import { MemoryBackend, MemoryVolume, type BackendProtocolV2 } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { mutant, overlay, type Mutant } from "./mutant.js";

/** Answers that are right unless a call comes while a directory is being moved. */
function detour(inner: VolumeBackend): BackendProtocolV2 {
  const move: VolumeBackend["move"] = async (from, to, options) => {
    const elsewhere = `/${from.split("/").filter(Boolean).join(".")}.moving`;
    // Only the move that takes its usual way is wrong: of a directory to where nothing is.
    const isPlain =
      options === undefined &&
      (await inner.stat(from)).info?.is_dir === true &&
      (await inner.stat(to)).code === "not_found" &&
      !`${to}/`.startsWith(`${from}/`);
    if (!isPlain) return inner.move(from, to, options);
    const left = await inner.move(from, elsewhere);
    if (left.error !== undefined) return inner.move(from, to, options);
    await turn();
    const arrived = await inner.move(elsewhere, to, options);
    if (arrived.error !== undefined) await inner.move(elsewhere, from);
    return arrived;
  };
  return overlay(inner, { move });
}

function detours(): readonly [BackendProtocolV2, BackendProtocolV2] {
  const volume = new MemoryVolume();
  return [detour(new VolumeBackend(volume)), detour(new VolumeBackend(volume))];
}

/** Right call by call, as long as no other one overlaps. */
export const OVERLAP_MUTANTS: readonly Mutant[] = [
  {
    ...mutant("read/page-of-another-call", "A7", "Reads of one file share their page.", (inner) => {
      const asked = new Map<string, readonly [number, number]>();
      return {
        read: async (path, offset = 0, limit = 500, ...rest) => {
          if (typeof path !== "string" || !(offset > 0))
            return inner.read(path, offset, limit, ...rest);
          asked.set(path, [offset, limit]);
          await turn();
          const [from, lines] = asked.get(path) ?? [offset, limit];
          return inner.read(path, from, lines, ...rest);
        },
      };
    }),
    by: "conc/own-arguments",
  },
  {
    ...mutant(
      "read/page-of-another-now-and-then",
      "A7",
      "Every fifth overlap mixes pages.",
      (inner) => {
        const asked = new Map<string, number>();
        let overlaps = 0;
        return {
          read: async (path, offset = 0, ...rest) => {
            if (typeof path !== "string" || !(offset > 0)) return inner.read(path, offset, ...rest);
            asked.set(path, offset);
            await turn();
            const from = asked.get(path) ?? offset;
            const mixes = from !== offset && ++overlaps % 5 === 0;
            return inner.read(path, mixes ? from : offset, ...rest);
          },
        };
      },
    ),
    by: "conc/own-arguments",
  },
  {
    ...mutant(
      "grep/pattern-of-another-call",
      "A7",
      "Searches of one place share a pattern.",
      (inner) => {
        const asked = new Map<unknown, string>();
        return {
          grep: async (pattern, path, ...rest) => {
            if (typeof pattern !== "string" || !pattern) return inner.grep(pattern, path, ...rest);
            asked.set(path, pattern);
            await turn();
            return inner.grep(asked.get(path) ?? pattern, path, ...rest);
          },
        };
      },
    ),
    by: "conc/own-arguments",
  },
  {
    name: "move/directory-by-way-of",
    rule: "A7",
    bug: "A directory that is moved is in neither place for a while.",
    by: "conc/directory-never-gone",
    create: () => detour(new MemoryBackend()),
  },
  {
    name: "move/directory-by-way-of-for-a-peer",
    rule: "A7",
    bug: "A directory that another client moves is in neither place for a while.",
    by: "peer/directory-never-gone",
    create: () => detours()[0],
    pair: detours,
  },
];
