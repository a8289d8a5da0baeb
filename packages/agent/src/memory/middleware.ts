import { optionsOf } from "@fs/protocol/async";
import { StateSchema } from "@langchain/langgraph";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { z } from "zod";
import { checkMemoryOptions } from "../check/middleware-options.js";
import type { BackendOption } from "@fs/middleware";
import { fileSource } from "../files/source.js";
import { withPart } from "../prompt/assemble.js";
import { DEFAULT_PROMPTS, partOf } from "../prompt/sections.js";
import type { FilesystemPermission } from "@fs/protocol";
import { type OnError, reporter } from "../types/report.js";
import { loadMemory } from "./load.js";

/** Options of {@link createMemoryMiddleware}. */
export interface MemoryMiddlewareOptions {
  /** Where the files are. Default `new StateBackend()`. */
  backend?: BackendOption;
  /** Absolute paths of the memory files, in the order in which they are shown. */
  sources: readonly string[];
  /** Rules that reading obeys; one that would ask a human refuses. */
  permissions?: readonly FilesystemPermission[];
  /** The text above the files; `false`: none. */
  prompt?: string | false;
  /** Called with what could not be read. */
  onError?: OnError;
  /** Accepted for compatibility; caching is decided per model call. */
  addCacheControl?: boolean;
}

const memoryContents = z.record(z.string(), z.string()).optional();
const stateSchema = new StateSchema({
  memoryContents,
  _unreadableMemory: z.array(z.string()).optional(),
});

/**
 * Middleware that shows memory files (`AGENTS.md`) in the system prompt: read once at the start of every run, so that what
 * any thread changed is seen by the next run of all.
 */
export function createMemoryMiddleware(options: MemoryMiddlewareOptions) {
  checkMemoryOptions(options);
  const source = fileSource(options.backend, options.permissions);
  const report = reporter(options.onError);
  const guide = partOf(options.prompt, DEFAULT_PROMPTS.memory);
  return createMiddleware({
    name: "MemoryMiddleware",
    stateSchema,
    beforeAgent: async (state, runtime) => {
      const { contents, unreadable } = await loadMemory(
        await source({ ...runtime, state }),
        options.sources,
        report,
        optionsOf(runtime.signal),
      );
      // An unchanged file costs no write, and a first run without memory leaves no trace.
      const { memoryContents: before = {}, _unreadableMemory: failed = [] } = state;
      return sameEntries(before, contents) && failed.join("\n") === unreadable.join("\n")
        ? undefined
        : { memoryContents: contents, _unreadableMemory: unreadable };
    },
    wrapModelCall: (request, handler) => {
      const { memoryContents: contents = {}, _unreadableMemory: failed = [] } = request.state;
      const shown = memoryPart(guide, options.sources, contents, new Set(failed));
      return handler({ ...request, systemMessage: withPart(request.systemMessage, shown) });
    },
  }) satisfies AgentMiddleware;
}

/** The memory section of the prompt: the guide, then each file verbatim inside a tag that its text does not close. */
function memoryPart(
  guide: string,
  sources: readonly string[],
  contents: Readonly<Record<string, string>>,
  unreadable: ReadonlySet<string>,
): string {
  const paths = [...new Set(sources)];
  // Without a file there is one thing to say: where the first one goes. What could not be read may be one.
  if (Object.keys(contents).length === 0 && unreadable.size === 0)
    return guide === "" || paths[0] === undefined
      ? ""
      : `You have no memory yet. Save lasting preferences of the user to ${paths[0]} with write_file; never secrets.`;
  const files = paths.map((path) => {
    const text = Object.hasOwn(contents, path) ? contents[path] : undefined;
    if (text === undefined)
      return unreadable.has(path)
        ? `${path} could not be read now; do not write to it.`
        : `${path} does not exist yet.`;
    const tag = tagFor(text);
    return `<${tag} path=${JSON.stringify(path)}>\n${text}\n</${tag}>`;
  });
  return [...(guide === "" ? [] : [guide]), ...files].join("\n");
}

function tagFor(text: string): string {
  let tag = "memory";
  for (let number = 2; text.includes(`</${tag}`); number++) tag = `memory-${number}`;
  return tag;
}

function sameEntries(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>) {
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length &&
    left.every(([path, text], at) => path === right[at]?.[0] && text === right[at]?.[1])
  );
}
