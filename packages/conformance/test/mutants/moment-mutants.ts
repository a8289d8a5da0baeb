import { setImmediate as turn } from "node:timers/promises";
import { failure, MemoryVolume, type BackendProtocolV2, type LsResult } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { mutant, overlay, type Mutant } from "./mutant.js";

/** A copy of a directory that is taken back by the paths of its files when it is aborted. */
function undoingByPath(inner: VolumeBackend): VolumeBackend["copy"] {
  return async (from, to, options) => {
    const { signal, overwrite } = options ?? {};
    const found = await inner.glob("**", from);
    const paths = (found.files ?? []).map(({ path }) => path).filter((path) => path !== from);
    if (!(signal instanceof AbortSignal) || overwrite === true || paths.length === 0)
      return inner.copy(from, to, options);
    const copies: string[] = [];
    for (const [n, path] of paths.entries()) {
      if (n % 16 === 15) await turn();
      if (signal.aborted) {
        for (const copy of copies) await inner.delete(copy);
        return failure("aborted", from);
      }
      const copy = to + path.slice(from.length);
      await inner.copy(path, copy);
      copies.push(copy);
    }
    return { path: to, files: copies.length };
  };
}

function undoingPair(): readonly [BackendProtocolV2, BackendProtocolV2] {
  const volume = new MemoryVolume();
  const [own, other] = [new VolumeBackend(volume), new VolumeBackend(volume)];
  return [overlay(own, { copy: undoingByPath(own) }), other];
}

/** Right, but for what happens between two calls, or to the first of them. */
export const MOMENT_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "ls/pages-of-what-was-there",
      "L5",
      "The pages after the first show what was there at the first.",
      (inner) => {
        const seen = new Map<string, LsResult>();
        return {
          ls: async (path, options) => {
            if (typeof options?.limit !== "number" || !Number.isInteger(options.limit))
              return inner.ls(path, options);
            const known = seen.get(`${path} ${options.after ?? ""}`);
            const answer = await inner.ls(path, options);
            if (answer.error !== undefined || options.limit < 1) return answer;
            if (options.after === undefined && answer.nextAfter !== undefined)
              seen.set(
                `${path} ${answer.nextAfter}`,
                await inner.ls(path, { after: answer.nextAfter }),
              );
            if (known?.files === undefined) return answer;
            const files = known.files.slice(0, options.limit);
            const more = files.length < known.files.length;
            return more
              ? { files, truncated: true, nextAfter: files.at(-1)?.path ?? "" }
              : { files };
          },
        };
      },
    ),
    by: "ls/pages-beside-changes",
  },
  {
    name: "copy/undone-by-path",
    rule: "M6",
    bug: "What an aborted copy has stored is removed, also where another client has changed it since.",
    by: "peer/copy-aborted-beside-edits",
    create: () => undoingPair()[0],
    pair: undoingPair,
  },
  {
    ...mutant(
      "signal/connects-under-the-first",
      "A8",
      "All calls share a connection that is opened under the signal of the first.",
      (inner) => {
        let connection: Promise<boolean> | undefined;
        const connected = async (signal?: AbortSignal): Promise<boolean> => {
          await turn();
          return !(signal instanceof AbortSignal && signal.aborted);
        };
        return {
          ls: async (path, options) => {
            connection ??= connected(options?.signal);
            return (await connection) ? inner.ls(path, options) : failure("aborted", "/");
          },
        };
      },
    ),
    by: "guard/first-call-aborted",
  },
  {
    ...mutant(
      "edit/until-none-is-left",
      "E2",
      "What a replacement has brought together is replaced again.",
      (inner) => ({
        edit: async (path, old, to, all, options) => {
          const answer = await inner.edit(path, old, to, all, options);
          if (answer.error !== undefined || all !== true || to.includes(old)) return answer;
          const again = await inner.edit(path, old, to, true);
          return again.error === undefined ? again : answer;
        },
      }),
    ),
    by: "twin/edit",
  },
  {
    ...mutant(
      "glob/class-of-digits",
      "G1",
      "An escaped letter in a class stands for digits.",
      (inner) => ({
        glob: (pattern, ...rest) =>
          inner.glob(pattern.replaceAll(String.raw`[\d`, "[0-9"), ...rest),
      }),
    ),
    by: "twin/glob-names",
  },
];
