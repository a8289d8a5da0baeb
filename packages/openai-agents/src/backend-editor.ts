import {
  type AnyBackendProtocol,
  adaptBackendProtocol,
  type Caller,
  currentCaller,
  failure,
  type Failure,
  type Filesystem,
  type Outcome,
  runAsCaller,
} from "@fs/protocol";
import {
  canonicalPath,
  checkedConfiguration,
  encodeText,
  isUncertainCode,
  joinPath,
} from "@fs/protocol/author";
import { KeyedQueue } from "@fs/protocol/async";
import { loadFile, removeFile, resolvePath, storeFile, updateText } from "@fs/protocol/bridge";
import { textOf } from "@fs/protocol/hooks";
import type { applyDiff, ApplyPatchOperation, ApplyPatchResult, Editor } from "@openai/agents";

/** Options of {@link backendEditor}. */
export interface BackendEditorOptions {
  /** The directory of the backend that the model's paths start from, and that they do not leave. Default `/`. */
  readonly rootDir?: string;
  /** On whose behalf the calls are made, for wrappers such as the audit. */
  readonly caller?: Caller;
}

/** Rounds of moving a file that others change before a patch gives up. */
const ROUNDS = 100;

type Update = Extract<ApplyPatchOperation, { type: "update_file" }>;

/**
 * An editor over any backend, for `applyPatchTool` of the OpenAI Agents SDK. A patch is applied to the version that was read,
 * and read and applied anew where another caller was faster. A failure is a `failed` result whose output ends in the code.
 *
 * Throws a TypeError for wrong options, and for what is no backend.
 *
 * @param patch `applyDiff` of the SDK.
 * @example
 * const tool = applyPatchTool({ editor: backendEditor(applyDiff, backend, { rootDir: "/project" }) });
 */
export function backendEditor(
  patch: typeof applyDiff,
  given: AnyBackendProtocol,
  options: BackendEditorOptions = {},
): Editor {
  checkedConfiguration("backendEditor", options, { rootDir: "text", caller: "object" });
  const root = canonicalPath(options.rootDir ?? "/");
  if (root.failure !== undefined) throw new TypeError(root.failure.error);
  const backend = adaptBackendProtocol(given);
  /** Spares neighbours in this process the lost rounds of compare-and-swap. */
  const queue = new KeyedQueue();

  const at = (path: string): string => joinPath(root.path, resolvePath("/", path).slice(1));
  const answering = async (
    path: string,
    done: string,
    task: () => Promise<Outcome<object>>,
  ): Promise<ApplyPatchResult> => {
    const outcome = await runAsCaller({ ...currentCaller(), ...options.caller }, task);
    if (outcome.error === undefined) return { status: "completed", output: done };
    const { code } = outcome;
    // A sentence of the backend names its own path.
    const sentence =
      root.path === "/" || code === "no_match" ? outcome.error : failure(code, path).error;
    return { status: "failed", output: `${sentence} (${code})` };
  };

  return {
    createFile: ({ path, diff }) =>
      answering(path, `Created ${path}`, async () => {
        const text = patched(patch, "", diff, "create");
        if (typeof text !== "string") return text;
        return storeFile(backend, at(path), encodeText(text), { ifAbsent: true }, {});
      }),
    updateFile: ({ path, diff, moveTo }: Update) => {
      const isMove = moveTo !== undefined && at(moveTo) !== at(path);
      const change = (text: string): string | Failure => patched(patch, text, diff, "default");
      return answering(path, isMove ? `Updated ${path} as ${moveTo}` : `Updated ${path}`, () =>
        queue.run(at(path), () =>
          isMove
            ? moveChanged(backend, at(path), at(moveTo), change)
            : updateText(backend, at(path), change, {}),
        ),
      );
    },
    deleteFile: ({ path }) =>
      answering(path, `Deleted ${path}`, () => removeFile(backend, at(path), {})),
  };
}

/**
 * Stores the changed file where nothing is and removes the one it was made of, in the version that was read. If that stays,
 * the new file is taken back, and made again where the other has changed meanwhile. Where nobody knows whether it stays,
 * both do.
 */
async function moveChanged(
  backend: Filesystem,
  from: string,
  to: string,
  change: (text: string) => string | Failure,
): Promise<Outcome<object>> {
  for (let round = 1; ; round++) {
    const loaded = await loadFile(backend, from, {});
    if (loaded.error !== undefined) return loaded;
    if (loaded.version === undefined) return failure("unsupported", from);
    const text = textOf(loaded.bytes);
    const after = text === undefined ? failure("not_text", from) : change(text);
    if (typeof after !== "string") return after;
    const stored = await storeFile(backend, to, encodeText(after), { ifAbsent: true }, {});
    if (stored.error !== undefined) return stored;
    const removed = await removeFile(backend, from, { ifVersion: loaded.version });
    if (removed.error === undefined || isUncertainCode(removed.code)) return removed;
    if (stored.version === undefined) return removed;
    const takenBack = await removeFile(backend, to, { ifVersion: stored.version });
    const isLost = removed.code === "conflict" || removed.code === "not_found";
    if (takenBack.error !== undefined || !isLost || round === ROUNDS) return removed;
  }
}

/** The text with a patch applied. The SDK throws what the model needs to know: which context it did not find. */
function patched(
  patch: typeof applyDiff,
  text: string,
  diff: string,
  mode: "default" | "create",
): string | Failure {
  try {
    return patch(text, diff, mode);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { error: `The patch does not apply. ${reason}`, code: "no_match" };
  }
}
