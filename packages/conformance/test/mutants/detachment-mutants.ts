import { MemoryBackend } from "@fs/protocol";
import { mutant, overlay, type Mutant } from "./mutant.js";

type Call = (...args: unknown[]) => Promise<unknown>;

/** Methods that look at their arguments only after a while. */
function lateArguments(
  method: "uploadFiles" | "downloadFiles" | "multiEdit" | "move" | "copy",
): Mutant {
  return {
    name: `arguments/${method}-read-late`,
    rule: "A5",
    bug: `${method} looks at its lists and options after it has waited.`,
    create: () => {
      const inner = new MemoryBackend();
      const call = (inner[method] as Call).bind(inner);
      return overlay(inner, {
        [method]: async (...args: unknown[]) => {
          await Promise.resolve();
          return call(...args);
        },
      });
    },
  };
}

/** Methods whose answer is kept, and handed out again. */
function sharedAnswers(
  method: "read" | "readRaw" | "ls" | "glob" | "grep" | "downloadFiles",
): Mutant {
  return {
    name: `results/${method}-shared`,
    rule: "A5",
    bug: `${method} hands out the object that it keeps.`,
    create: () => {
      const inner = new MemoryBackend();
      const call = (inner[method] as Call).bind(inner);
      const kept = new Map<string, { answer: unknown; fresh: string }>();
      return overlay(inner, {
        withoutHooks: undefined,
        [method]: async (...args: unknown[]) => {
          const key = JSON.stringify(args);
          const answer = await call(...args);
          const fresh = JSON.stringify(answer);
          const known = kept.get(key);
          if (known?.fresh === fresh) return known.answer;
          kept.set(key, { answer, fresh });
          return answer;
        },
      });
    },
  };
}

/** A store of its own for uploads, which takes its copies by `slice`. */
function slicedUploads(): Mutant {
  const slices = mutant(
    "arguments/slices-a-buffer",
    "A5",
    "The bytes of an upload are copied by slice, which is a view of a Buffer.",
    (inner) => {
      const kept = new Map<string, { readonly own: Uint8Array; readonly stored: Uint8Array }>();
      return {
        uploadFiles: async (files, options) => {
          const answers = await inner.uploadFiles(files, options);
          for (const [path, bytes] of files)
            if (bytes instanceof Uint8Array)
              kept.set(path, { own: bytes.slice(), stored: new Uint8Array(bytes) });
          return answers;
        },
        downloadFiles: async (paths, options) =>
          (await inner.downloadFiles(paths, options)).map((answer, n) => {
            const { own, stored } = kept.get(paths[n] ?? "") ?? {};
            const isAsStored =
              own !== undefined && stored !== undefined && sameBytes(answer.content, stored);
            return isAsStored ? { ...answer, content: new Uint8Array(own) } : answer;
          }),
      };
    },
  );
  return { ...slices, by: "guard/results-detached" };
}

function sameBytes(bytes: Uint8Array | null, others: Uint8Array): boolean {
  return bytes?.length === others.length && bytes.every((byte, n) => byte === others[n]);
}

/** What is shared with the caller though it must not be. */
export const DETACHMENT_MUTANTS: readonly Mutant[] = [
  slicedUploads(),
  ...(["uploadFiles", "downloadFiles", "multiEdit", "move", "copy"] as const).map(lateArguments),
  ...(["read", "readRaw", "ls", "glob", "grep", "downloadFiles"] as const).map(sharedAnswers),
  mutant("results/refusal-shared", "A5", "All refusals are one object.", (inner) => {
    const missing = { error: "'/no' was not found.", code: "not_found" as const };
    return {
      read: async (...args) => {
        const result = await inner.read(...args);
        return result.code === "invalid_path"
          ? Object.assign(missing, { error: result.error, code: result.code }) && missing
          : result;
      },
      ls: async (...args) => {
        const result = await inner.ls(...args);
        return result.code === "not_found" ? missing : result;
      },
    };
  }),
  mutant("arguments/sorts-the-edits", "A5", "multiEdit sorts the list it was given.", (inner) => ({
    multiEdit: async (path, edits, options) => {
      if (Array.isArray(edits)) (edits as unknown[]).push(...(edits as unknown[]).splice(0));
      return inner.multiEdit(path, edits, options);
    },
  })),
  mutant(
    "arguments/empties-the-paths",
    "A5",
    "downloadFiles takes the paths off their list.",
    (inner) => ({
      downloadFiles: async (paths, options) => {
        const own = Array.isArray(paths) ? paths.splice(0) : paths;
        return inner.downloadFiles(own, options);
      },
    }),
  ),
];
