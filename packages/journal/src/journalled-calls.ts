import type { SeenFile } from "@fs/changes";
import {
  type BackendMethods,
  type Failure,
  failure,
  type MaybeSandbox,
  type MutationOptions,
  type WriteOptions,
} from "@fs/protocol";
import {
  canonicalFilePath,
  canonicalPath,
  encodeText,
  isUncertain,
  isWithin,
} from "@fs/protocol/author";
import { isSignal, KeyedQueue } from "@fs/protocol/async";
import { applyEdits, classify, type Replacement } from "@fs/protocol/hooks";
import { mutateByCommand } from "./mutate-by-command.js";
import { type FileAnswer, type FileMutation, mutateFile } from "./mutate-file.js";
import { mutateTree, removalOf, transferOf } from "./mutate-trees.js";
import { mutateUploads } from "./mutate-uploads.js";
import type { Recorder } from "./recorder.js";
import type { Condition } from "./seen-state.js";

/** The methods that change something. */
const RECORDED = [
  "write",
  "edit",
  "multiEdit",
  "delete",
  "move",
  "copy",
  "uploadFiles",
  "execute",
] as const;

type Recorded = (typeof RECORDED)[number];

/** Each method as it is made and recorded. Throws when it cannot be recorded. */
export type JournalledCalls = { readonly [K in Recorded]: BackendMethods[K] };

/**
 * The methods of a backend that change something, recorded. Those that the backend lacks are never called.
 *
 * @param scans Whether what a command has changed is looked for.
 */
export function journalledCalls(
  recorder: Recorder,
  inner: MaybeSandbox,
  scans: boolean,
): JournalledCalls {
  const queue = new KeyedQueue();
  const mutate = async <R extends FileAnswer>(
    path: string,
    plain: () => Promise<R>,
    mutation: Omit<FileMutation<R>, "path">,
  ): Promise<R> => {
    const canonical = canonicalFilePath(path);
    // What names no file is refused by the backend in its own words, and nothing can change.
    if (canonical.failure !== undefined) return plain();
    const lost = (): R => failure("conflict", path) as FileAnswer as R;
    return mutateFile(recorder, queue, { ...mutation, path: canonical.path }, lost);
  };
  const transfer =
    (kind: "move" | "copy"): BackendMethods["move"] =>
    async (from, to, options) => {
      const call = async (): ReturnType<BackendMethods["move"]> =>
        (await inner[kind]?.(from, to, options)) ?? unsupported(from);
      const signal = signalOf(options);
      const [source, target] = [canonicalPath(from), canonicalPath(to)];
      if (source.failure !== undefined || target.failure !== undefined) return call();
      // Onto itself or below itself: refused by the backend, and nothing can change.
      if (isWithin(target.path, source.path)) return call();
      const changes = await transferOf(recorder, source.path, target.path, kind === "move", signal);
      return mutateTree(recorder, { method: kind, ...changes, call, signal });
    };
  const isNoDirectory = async (path: string, signal?: AbortSignal): Promise<boolean> => {
    try {
      return (await recorder.files.look(path, signal)) !== undefined;
    } catch (error) {
      // A link, or what may not be looked at: it is removed as the one that the backend takes it for.
      if (isUncertain(error)) throw error;
      return true;
    }
  };
  return {
    write: (path, text, options) =>
      mutate(path, () => inner.write(path, text, options), {
        method: "write",
        signal: signalOf(options),
        condition: conditionOf(options),
        foresee: () => (typeof text === "string" ? encodeText(text) : undefined),
        // Over a file a write is refused or replaces, as the backend is set; a condition would make it replace.
        guard: (before) => (before === undefined ? { ifAbsent: true } : undefined),
        call: (guard) => inner.write(path, text, { ...options, ...guard }),
      }),
    edit: (path, old, to, replaceAll, options) =>
      mutate(path, () => inner.edit(path, old, to, replaceAll, options), {
        method: "edit",
        signal: signalOf(options),
        condition: conditionOf(options),
        foresee: foreseeEdits([{ old, new: to, replaceAll: replaceAll ?? false }]),
        guard: versionOf,
        call: (guard) => inner.edit(path, old, to, replaceAll, { ...options, ...guard }),
      }),
    multiEdit: (path, edits, options) => {
      const call = async (guard: Condition): ReturnType<BackendMethods["multiEdit"]> =>
        (await inner.multiEdit?.(path, edits, { ...options, ...guard })) ?? unsupported(path);
      return mutate(path, () => call({}), {
        method: "multiEdit",
        signal: signalOf(options),
        condition: conditionOf(options),
        foresee: foreseeEdits(
          Array.isArray(edits)
            ? edits.map((edit) => ({ ...edit, replaceAll: edit?.replaceAll ?? false }))
            : [],
        ),
        guard: versionOf,
        call,
      });
    },
    delete: async (path, options) => {
      const call = async (guard: Condition): ReturnType<BackendMethods["delete"]> =>
        (await inner.delete?.(path, { ...options, ...guard })) ?? unsupported(path);
      const signal = signalOf(options);
      const canonical = canonicalPath(path);
      if (canonical.failure !== undefined || canonical.path === "/") return call({});
      const isFile = !path.endsWith("/") && (await isNoDirectory(canonical.path, signal));
      if (!isFile) {
        const removal = await removalOf(recorder, canonical.path, signal);
        return mutateTree(recorder, { method: "delete", ...removal, call: () => call({}), signal });
      }
      return mutate(path, () => call({}), {
        method: "delete",
        signal: signalOf(options),
        condition: conditionOf(options),
        foresee: () => null,
        guard: versionOf,
        call,
      });
    },
    move: transfer("move"),
    copy: transfer("copy"),
    uploadFiles: (files, options) =>
      mutateUploads(
        recorder,
        files,
        async (batch) => (await inner.uploadFiles?.(batch, options)) ?? [],
        signalOf(options),
      ),
    execute: async (command, options) =>
      mutateByCommand(
        recorder,
        command,
        scans,
        async () =>
          (await inner.execute?.(command, options)) ?? {
            output: "",
            exitCode: null,
            truncated: false,
            ...unsupported("/"),
          },
        signalOf(options),
      ),
  };
}

function unsupported(path: unknown): Failure {
  return failure("unsupported", path);
}

function conditionOf(
  options: WriteOptions | MutationOptions | null | undefined,
): Condition | undefined {
  if (typeof options !== "object" || options === null) return undefined;
  if (options.ifVersion !== undefined) return { ifVersion: options.ifVersion };
  return "ifAbsent" in options && options.ifAbsent ? { ifAbsent: true } : undefined;
}

function signalOf(
  options: { readonly signal?: AbortSignal | undefined } | null | undefined,
): AbortSignal | undefined {
  const signal = options?.signal;
  // What is none is left to the backend, which refuses it.
  return isSignal(signal) ? signal : undefined;
}

function versionOf(before: SeenFile | undefined): Condition | undefined {
  return before?.version === undefined ? undefined : { ifVersion: before.version };
}

/** The file that edits lead to, by the one rule of edits; `undefined` where they do not apply. */
function foreseeEdits(
  edits: readonly Replacement[],
): (before: SeenFile | undefined) => Uint8Array | undefined {
  return (before) => {
    const given = edits.every(
      (edit) => typeof edit.old === "string" && typeof edit.new === "string",
    );
    if (before === undefined || !given || edits.length === 0) return undefined;
    const content = classify("/file.txt", before.bytes);
    if (content.kind === "binary") return undefined;
    const outcome = applyEdits(content.text, edits);
    return outcome.refusal === undefined && outcome.text.isWellFormed()
      ? encodeText(outcome.text)
      : undefined;
  };
}
