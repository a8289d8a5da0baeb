import { setImmediate as turn } from "node:timers/promises";
import { failure, type FileUploadResponse, type ReadResult } from "@fs/protocol";
import type { VolumeBackend } from "@fs/protocol/author";
import { mutant, shared, type Mutant } from "./mutant.js";

/** What a client has fetched of each content, and fetches at the moment. */
interface Fetches {
  readonly underWay: Map<string, Promise<ReadResult>>;
  readonly done: Set<string>;
}

/** A read whose content is fetched once for all who ask for it, with the signal of the first of them. */
async function fetched(
  inner: VolumeBackend,
  { underWay, done }: Fetches,
  ...[path, offset, limit, options]: Parameters<VolumeBackend["read"]>
): Promise<ReadResult> {
  const { version } = await inner.read(path, offset, limit);
  if (version === undefined || done.has(version)) return inner.read(path, offset, limit, options);
  const fetch = async (): Promise<ReadResult> => {
    await turn();
    await turn();
    const answer = await inner.read(path, offset, limit, options);
    if (answer.error === undefined) done.add(version);
    return answer;
  };
  const pending = underWay.get(version) ?? fetch().finally(() => underWay.delete(version));
  underWay.set(version, pending);
  return structuredClone(await pending);
}

/** Wrong only towards a signal that fires, or that serves several calls. */
export const SIGNAL_MUTANTS: readonly Mutant[] = [
  {
    ...shared(
      "content-fetched-with-one-signal",
      "A8",
      "Reads of a content that this client has nothing of share the request of the first, and its signal.",
      () => new Map<object, Fetches>(),
      (inner, all, client) => {
        const fetches = all.get(client) ?? { underWay: new Map(), done: new Set() };
        all.set(client, fetches);
        const learn = async (path: string): Promise<void> => {
          const { version } = await inner.read(path);
          if (version !== undefined) fetches.done.add(version);
        };
        return {
          read: (...args) => fetched(inner, fetches, ...args),
          uploadFiles: async (files, options) => {
            const answers = await inner.uploadFiles(files, options);
            for (const { path, error } of answers) if (error === null) await learn(path);
            return answers;
          },
        };
      },
    ),
    by: "peer/aborted-among-equals",
  },
  {
    ...mutant(
      "signal/listener-of-a-refusal",
      "A8",
      "A refused read leaves its listener.",
      (inner) => ({
        read: async (path, offset, limit, options) => {
          const { signal } = options ?? {};
          const listener = (): void => undefined;
          signal?.addEventListener?.("abort", listener);
          const result = await inner.read(path, offset, limit, options);
          if (result.error === undefined) signal?.removeEventListener("abort", listener);
          return result;
        },
      }),
    ),
    by: "matrix/read-signal-left",
  },
  {
    ...mutant(
      "signal/rest-of-a-batch-as-stored",
      "A8",
      "An aborted upload reports the files that it has not come to as stored.",
      (inner) => ({
        uploadFiles: async (files, options) => {
          const { signal } = options ?? {};
          if (!(signal instanceof AbortSignal) || signal.aborted || files.length < 2)
            return inner.uploadFiles(files, options);
          const answers = files.map(([path]): FileUploadResponse => ({ path, error: null }));
          for (const [n, file] of files.entries()) {
            if (signal.aborted) break;
            const [answer] = await inner.uploadFiles([file]);
            if (answer !== undefined) answers[n] = answer;
            if (n % 4 === 3) await turn();
          }
          return answers;
        },
      }),
    ),
    by: "guard/transfer-aborted-in-between",
  },
  {
    ...mutant(
      "signal/goes-on-unsaid",
      "A8",
      "An aborted write is answered at once, and stores the file a little later.",
      (inner) => ({
        write: async (path, content, options) => {
          const { signal, ...rest } = options ?? {};
          if (!(signal instanceof AbortSignal) || signal.aborted)
            return inner.write(path, content, options);
          const fired = new Promise<void>((resolve) => {
            signal.addEventListener("abort", () => resolve(), { once: true });
          });
          const stored = turn().then(() => inner.write(path, content, rest));
          const gone = fired.then(() => failure("aborted", path));
          return Promise.race([stored, gone]);
        },
      }),
    ),
    by: "matrix/write-aborted-in-flight",
  },
  {
    ...mutant(
      "signal/open-at-once",
      "A8",
      "An aborted edit is answered at once with the sentence that it may have happened, although its outcome is about to be known.",
      (inner) => ({
        edit: async (path, old, to, all, options) => {
          const { signal, ...rest } = options ?? {};
          if (!(signal instanceof AbortSignal) || signal.aborted)
            return inner.edit(path, old, to, all, options);
          const fired = new Promise<void>((resolve) => {
            signal.addEventListener("abort", () => resolve(), { once: true });
          });
          const stored = turn().then(() => inner.edit(path, old, to, all, rest));
          const open = fired.then(() =>
            failure("aborted", path, "The call was aborted. The file may or may not be changed."),
          );
          return Promise.race([stored, open]);
        },
      }),
    ),
    by: "matrix/edit-aborted-in-flight",
  },
  {
    ...mutant(
      "signal/served-from-a-cache",
      "A8",
      "What a cache holds is read although aborted.",
      (inner) => {
        const cache = new Map<string, ReadResult>();
        return {
          read: async (path, offset, limit, options) => {
            const key = JSON.stringify([path, offset ?? 0, limit ?? 500]);
            const now = await inner.read(path, offset, limit);
            const known = cache.get(key);
            if (known !== undefined && known.content === now.content) return structuredClone(known);
            const result = await inner.read(path, offset, limit, options);
            if (result.error === undefined) cache.set(key, structuredClone(result));
            return result;
          },
        };
      },
    ),
    by: "matrix/read-aborted-before",
  },
];
