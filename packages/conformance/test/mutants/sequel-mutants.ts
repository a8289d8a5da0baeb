import type { BackendProtocolV2, MemoryBackend } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

type Call = (...args: unknown[]) => Promise<Record<string, unknown>>;
type Method = "write" | "edit" | "multiEdit" | "delete" | "copy" | "stat" | "readRaw";

function callOf(inner: MemoryBackend, method: Method): Call {
  return (inner[method] as unknown as Call).bind(inner);
}

/** A backend whose method answers something else, once its answer is known. */
function answering(
  name: string,
  rule: string,
  bug: string,
  method: Method,
  change: (
    answer: Record<string, unknown>,
    args: readonly unknown[],
    inner: MemoryBackend,
  ) => Promise<unknown>,
): Mutant {
  return mutant(name, rule, bug, (inner): Partial<BackendProtocolV2> => ({
    [method]: async (...args: unknown[]) => {
      const answer = await callOf(inner, method)(...args);
      return (await change(answer, args, inner)) ?? answer;
    },
  }));
}

/** What a refused or finished call leaves behind, and what only the hundredth call meets. */
export const SEQUEL_MUTANTS: readonly Mutant[] = [
  mutant(
    "sequel/tombstone",
    "D1",
    "A file that was removed at its version cannot be written again.",
    (inner) => {
      const gone = new Set<string>();
      return {
        delete: async (path, options) => {
          const answer = await inner.delete(path, options);
          if (answer.error === undefined && options?.ifVersion !== undefined) gone.add(path);
          return answer;
        },
        write: async (path, ...rest) =>
          gone.has(path)
            ? { error: `'${path}' already exists.`, code: "already_exists" as const }
            : inner.write(path, ...rest),
      };
    },
  ),
  mutant("sequel/aborted-once", "A8", "The edit after an aborted one is aborted too.", (inner) => {
    let aborted = false;
    return {
      edit: async (path, ...rest) => {
        if (aborted) {
          aborted = false;
          return { error: `The edit of '${path}' was aborted.`, code: "aborted" as const };
        }
        const answer = await inner.edit(path, ...rest);
        aborted = answer.code === "aborted";
        return answer;
      },
    };
  }),
  mutant("sequel/copy-is-a-link", "M1", "An edit of a copy edits its source too.", (inner) => {
    const sources = new Map<string, string>();
    return {
      copy: async (from, to, options) => {
        const answer = await inner.copy(from, to, options);
        if (answer.error === undefined) sources.set(to, from);
        return answer;
      },
      edit: async (path, ...rest) => {
        const answer = await inner.edit(path, ...rest);
        const source = sources.get(path);
        if (answer.error !== undefined || source === undefined) return answer;
        const [file] = await inner.downloadFiles([path]);
        if (file?.content != null) await inner.uploadFiles([[source, file.content]]);
        return answer;
      },
    };
  }),
  mutant(
    "growth/write-101-is-lost",
    "W1",
    "The hundred-and-first write is acknowledged, and not kept.",
    (inner) => {
      let count = 0;
      return {
        write: async (path, ...rest) => {
          const answer = await inner.write(path, ...rest);
          if (answer.error === undefined && ++count > 100) await inner.delete(path);
          return answer;
        },
      };
    },
  ),
  mutant("growth/eleventh-edit", "E1", "The eleventh edit of a file changes nothing.", (inner) => {
    const counts = new Map<string, number>();
    return {
      edit: async (path, ...rest) => {
        const count = (counts.get(path) ?? 0) + 1;
        counts.set(path, count);
        const [before] = await inner.downloadFiles([path]);
        const answer = await inner.edit(path, ...rest);
        if (count > 10 && answer.error === undefined && before?.content != null)
          await inner.uploadFiles([[path, before.content]]);
        return answer;
      },
    };
  }),
  mutant(
    "result/shared-by-edits",
    "A5",
    "Every edit answers with the same object, which the next one changes.",
    (inner) => {
      const shared = {};
      return {
        edit: async (...args) => {
          const answer = await inner.edit(...args);
          return answer.error === undefined ? Object.assign(shared, answer) : answer;
        },
      };
    },
  ),
  answering(
    "result/occurrences-as-text",
    "A2",
    "multiEdit answers the number of occurrences as a text.",
    "multiEdit",
    async (answer) =>
      answer["error"] === undefined
        ? { ...answer, occurrences: String(answer["occurrences"]) }
        : undefined,
  ),
  answering(
    "result/path-as-written",
    "A3",
    "write answers the path as the caller wrote it.",
    "write",
    async (answer, [path]) => (answer["error"] === undefined ? { ...answer, path } : undefined),
  ),
  mutant(
    "version/of-the-file-before",
    "F3",
    "A write at a version answers the version that it replaced.",
    (inner) => ({
      write: async (path, content, options) => {
        const answer = await inner.write(path, content, options);
        return answer.error === undefined && options?.ifVersion !== undefined
          ? { ...answer, version: options.ifVersion }
          : answer;
      },
    }),
  ),
  mutant(
    "refusal/moves-the-time",
    "A7",
    "A write that is refused sets the time of the file that is there.",
    (inner) => {
      const times = new Map<string, string>();
      return {
        write: async (path, ...rest) => {
          const answer = await inner.write(path, ...rest);
          if (answer.code === "already_exists")
            times.set(path, new Date(Date.now() + 60_000).toISOString());
          return answer;
        },
        stat: async (path, ...rest) => {
          const answer = await inner.stat(path, ...rest);
          const time = times.get(path);
          return answer.info === undefined || time === undefined
            ? answer
            : { info: { ...answer.info, modified_at: time } };
        },
      };
    },
  ),
  answering(
    "refusal/replaces-by-itself",
    "F2",
    "A multiEdit that does not match stores the file anew, as it is.",
    "multiEdit",
    async (answer, [path], inner) => {
      if (answer["code"] !== "no_match" || typeof path !== "string") return undefined;
      const [file] = await inner.downloadFiles([path]);
      if (file?.content != null) await inner.uploadFiles([[path, file.content]]);
      return undefined;
    },
  ),
  answering(
    "stat/type-of-texts",
    "F1",
    "stat calls every file that is no picture bytes.",
    "stat",
    async (answer) => {
      const info = answer["info"] as { is_dir?: boolean; mimeType?: string } | undefined;
      return info === undefined || info.is_dir === true || info.mimeType !== undefined
        ? undefined
        : { info: { ...info, mimeType: "application/octet-stream" } };
    },
  ),
];
