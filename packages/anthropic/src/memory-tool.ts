import {
  type AnyBackendProtocol,
  adaptBackendProtocol,
  type Caller,
  currentCaller,
  runAsCaller,
} from "@fs/protocol";
import { canonicalPath, checkedConfiguration } from "@fs/protocol/author";
import { KeyedQueue } from "@fs/protocol/async";
import type { betaMemoryTool, MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import { handlersOf, type Memory } from "./memory-handlers.js";
import { MEMORIES } from "./memory-path.js";

/** Options of {@link memoryTool} and of {@link memoryHandlers}. */
export interface MemoryOptions {
  /** The directory of the backend that the model sees as `/memories`. Default `/memories`. */
  readonly rootDir?: string;
}

/** Options of {@link memoryTool}. */
export interface MemoryToolOptions extends MemoryOptions {
  /** On whose behalf the calls are made, for wrappers such as the audit. The id of the tool call is added. */
  readonly caller?: Pick<Caller, "actor" | "threadId">;
}

/**
 * The handlers of Claude's memory tool over any backend, for `betaMemoryTool`. Replacements and insertions that run together
 * are all kept, in every process, where the backend has versions and conditional uploads; where it has not, they are refused.
 *
 * A handler throws an Error whose message is for the model and whose `cause.code` is the backend's code.
 * Throws a TypeError for wrong options, and for what is no backend.
 *
 * @example
 * const memory = betaMemoryTool(memoryHandlers(backend, { rootDir: "/users/7/memories" }));
 */
export function memoryHandlers(
  backend: AnyBackendProtocol,
  options: MemoryOptions = {},
): MemoryToolHandlers {
  checkedConfiguration("memoryHandlers", options, { rootDir: "text" });
  return handlersOf(opened(backend, options), {});
}

/**
 * Claude's memory tool over any backend, for the tool runner: as {@link memoryHandlers}, and the runner's signal and the id of
 * the tool call reach the backend, which `betaMemoryTool` gives to no handler.
 *
 * @param make `betaMemoryTool` of the SDK.
 * @example
 * const memory = memoryTool(betaMemoryTool, backend, { rootDir: "/users/7/memories" });
 */
export function memoryTool(
  make: typeof betaMemoryTool,
  backend: AnyBackendProtocol,
  options: MemoryToolOptions = {},
): ReturnType<typeof betaMemoryTool> {
  checkedConfiguration("memoryTool", options, { rootDir: "text", caller: "object" });
  const memory = opened(backend, options);
  return {
    ...make(handlersOf(memory, {})),
    run: async (command, context) => {
      const { signal, toolUse } = context ?? {};
      const handlers = handlersOf(memory, signal ? { signal } : {});
      const call = toolUse && { toolCallId: toolUse.id };
      const caller = { ...currentCaller(), ...options.caller, ...call };
      return runAsCaller(caller, async () => make(handlers).run(command, context));
    },
  };
}

function opened(backend: AnyBackendProtocol, { rootDir = MEMORIES }: MemoryOptions): Memory {
  const root = canonicalPath(rootDir);
  if (root.failure !== undefined) throw new TypeError(root.failure.error);
  return { backend: adaptBackendProtocol(backend), root: root.path, queue: new KeyedQueue() };
}
