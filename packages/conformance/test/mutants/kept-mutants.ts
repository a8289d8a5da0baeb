import { MemoryVolume } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { mutant, overlay, type Mutant } from "./mutant.js";

/** A client that leaves out of its listings what it removed itself. */
function hidesRemoved(volume: MemoryVolume): VolumeBackend {
  const inner = new VolumeBackend(volume);
  const gone = new Set<string>();
  return overlay(inner, {
    delete: async (...args: Parameters<VolumeBackend["delete"]>) => {
      const answer = await inner.delete(...args);
      if (answer.error === undefined) gone.add(args[0]);
      return answer;
    },
    write: async (...args: Parameters<VolumeBackend["write"]>) => {
      gone.delete(args[0]);
      return inner.write(...args);
    },
    ls: async (...args: Parameters<VolumeBackend["ls"]>) => {
      const listed = await inner.ls(...args);
      return listed.files === undefined
        ? listed
        : { ...listed, files: listed.files.filter(({ path }) => !gone.has(path)) };
    },
  });
}

function hidingPair(): readonly [VolumeBackend, VolumeBackend] {
  const volume = new MemoryVolume();
  return [hidesRemoved(volume), hidesRemoved(volume)];
}

/** What is kept beside the files, and no longer true. */
export const KEPT_MUTANTS: readonly Mutant[] = [
  {
    name: "kept/removed-by-this-client",
    rule: "A7",
    bug: "A client hides what it removed, also when another has made it anew.",
    create: () => hidingPair()[0],
    pair: hidingPair,
    by: "peer/made-anew",
  },
  mutant("kept/number-of-lines", "R2", "An edit of all counts its lines once.", (inner) => {
    const missing = new Map<string, number>();
    return {
      edit: async (path, old, to, all, options) => {
        const answer = await inner.edit(path, old, to, all, options);
        const more = to.split("\n").length - old.split("\n").length;
        if (answer.error === undefined && all === true && more !== 0)
          missing.set(path, more * (answer.occurrences - 1));
        return answer;
      },
      read: async (path, ...rest) => {
        const page = await inner.read(path, ...rest);
        const lines = missing.get(path) ?? 0;
        return page.totalLines === undefined || lines === 0
          ? page
          : { ...page, totalLines: page.totalLines - lines };
      },
    };
  }),
  mutant(
    "kept/lines-of-every-kind",
    "E5",
    "not_unique counts a lone CR as a line end.",
    (inner) => ({
      edit: async (path, old, ...rest) => {
        const answer = await inner.edit(path, old, ...rest);
        if (answer.code !== "not_unique") return answer;
        const text = String((await inner.readRaw(path)).data?.content);
        const lines = text
          .split(/\r\n|\n|\r/)
          .flatMap((line, n) => (line.includes(old) ? [n + 1] : []));
        const count = text.split(old).length - 1;
        return { error: `It occurs ${count} times, in lines ${lines.join()}.`, code: "not_unique" };
      },
    }),
  ),
  mutant("kept/mode-over-condition", "W1", "`ifAbsent: false` overrules the mode.", (inner) => ({
    write: async (path, content, options) => {
      const answer = await inner.write(path, content, options);
      if (answer.code !== "already_exists" || options?.ifAbsent !== false) return answer;
      await inner.uploadFiles([[path, new TextEncoder().encode(content)]]);
      return { path };
    },
  })),
  mutant(
    "kept/merges-directories",
    "M1",
    "A directory is moved into one that is there.",
    (inner) => ({
      move: async (from, to, options) => {
        const answer = await inner.move(from, to, options);
        if (answer.code !== "already_exists" || options !== undefined) return answer;
        if ((await inner.ls(to)).error !== undefined || (await inner.ls(from)).error !== undefined)
          return answer;
        return inner.move(from, to, { overwrite: true });
      },
    }),
  ),
];
