import { optionsOf } from "@fs/protocol/async";
import { filesSchema } from "@fs/state";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { runAsCaller } from "@fs/protocol";
import { guardListener } from "@fs/protocol/author";
import { isToolName, supports, TOOLS } from "@fs/tools";
import { createMiddleware } from "langchain";
import { sourcesOf } from "./backend-source.js";
import { bindTool } from "./bind-tool.js";
import { callerOf } from "./caller.js";
import { checkOptions } from "./check-options.js";
import { presentMedia, traitsOf } from "./messages/present-media.js";
import { offloadHumanMessages } from "./offload/human-messages.js";
import { offloadResult, type OffloadSettings } from "./offload/tool-results.js";
import type { FilesystemMiddlewareOptions } from "./options.js";
import {
  allowedTools,
  artifactsRootOf,
  offeredTools,
  refuseCollisions,
  settingsOf,
} from "./resolve-settings.js";
import { askForApproval } from "./staging/approval.js";
import { stagingSettings } from "./staging/options.js";
import { stagedBackends } from "./staging/staged-backends.js";
import { STAGING_TOOL_NAMES, stagingTools } from "./staging/staging-tools.js";
import { type FsToolName, TOOLS_EXCLUDED_FROM_EVICTION } from "./tool-names.js";

/**
 * The filesystem tools of an agent, as LangChain middleware over any backend.
 *
 * Throws a ConfigurationError for options that cannot work, and for permissions that a shell could evade.
 *
 * @example
 * const agent = createAgent({ model, middleware: [createFilesystemMiddleware({ backend })] });
 */
export function createFilesystemMiddleware(options: FilesystemMiddlewareOptions = {}) {
  checkOptions(options);
  const settings = settingsOf(options);
  const staging = stagingSettings(options.staging);
  const staged = staging && stagedBackends(staging);
  const allowed = allowedTools(options.tools, staging !== undefined);
  const sources = sourcesOf(options, allowed.includes("execute"), staged);
  const names = offeredTools(allowed, sources.known);
  const reserved = [...names, ...(staged === undefined ? [] : STAGING_TOOL_NAMES)];
  refuseCollisions(options.otherTools ?? [], reserved, false);
  const descriptions = options.customToolDescriptions ?? {};
  const tools = [
    ...names.map((name) => bindTool(TOOLS[name], { sources, settings, descriptions })),
    ...(staged === undefined
      ? []
      : stagingTools(async (runtime) => staged(await sources.base(runtime), runtime))),
  ];
  const root = artifactsRootOf(options.artifactsRoot);
  // What is saved must be read again: without the tool for that, everything stays in the conversation.
  const readable = names.includes("read_file");
  const toolLimit = readable ? limitOf(options.toolTokenLimitBeforeEvict, 20_000) : undefined;
  const humanLimit = readable
    ? limitOf(options.humanMessageTokenLimitBeforeEvict, 50_000)
    : undefined;
  const offload = (limit: number, runtime: unknown, origin: string): OffloadSettings => ({
    limit,
    count: settings.countTokens,
    store: {
      backend: () => sources.saving(runtime),
      root,
      onError: (error) => guardListener(() => options.onError?.(error, { tool: origin })),
    },
  });
  const middleware = createMiddleware({
    name: "FilesystemMiddleware",
    stateSchema: filesSchema,
    tools,
    wrapModelCall: async (request, handler) => {
      refuseCollisions(request.tools, reserved, true);
      const runtime = withState(request);
      const visible = await visibleTools(runtime);
      const { messages, replaced, files } =
        humanLimit === undefined
          ? { messages: request.messages, replaced: [], files: {} }
          : await offloadHumanMessages(
              request.messages,
              offload(humanLimit, runtime, "human message"),
            );
      const prompt = promptFor(options.systemPrompt, visible);
      const reply = await handler({
        ...request,
        messages: presentMedia(messages, traitsOf(request.model)),
        tools: request.tools.filter((tool) => isOffered(tool, visible)),
        ...(prompt === "" ? {} : { systemMessage: request.systemMessage.concat(prompt) }),
      });
      // The short message takes the place of the long one in the state, so that it is saved and sent once.
      // A structured response is no message and could not travel with it; then the state keeps the long one for a turn.
      return replaced.length > 0 && AIMessage.isInstance(reply)
        ? new Command({ update: { messages: replaced, ...(isEmpty(files) ? {} : { files }) } })
        : reply;
    },
    wrapToolCall: async (request, handler) => {
      const result = await handler(request);
      const { name } = request.toolCall;
      // A tool that is not offered here may be another's of the same name.
      if (names.some((own) => own === name && TOOLS_EXCLUDED_FROM_EVICTION.includes(own)))
        return result;
      return offloadResult(result, offload(toolLimit ?? Infinity, withState(request), name));
    },
    afterAgent: {
      canJumpTo: ["model"],
      hook: async (state, runtime) => {
        if (staging === undefined || staged === undefined) return undefined;
        const within = withState({ runtime, state });
        const note = await runAsCaller(callerOf(within), async () =>
          askForApproval(
            await staged(await sources.base(within), within),
            staging,
            optionsOf(runtime.signal),
          ),
        );
        return note === undefined
          ? undefined
          : { messages: [new HumanMessage(note)], jumpTo: "model" };
      },
    },
  });
  if (staging?.approve !== true) delete middleware.afterAgent;
  // LangChain leaves errors of the agent's other tools to whoever wraps tool calls; nobody should without a need.
  if (toolLimit === undefined) delete middleware.wrapToolCall;
  return middleware;

  /** With a factory, what a backend can is known only now. */
  async function visibleTools(runtime: unknown): Promise<readonly FsToolName[]> {
    if (sources.known !== undefined) return names;
    const backend = await sources.tools(runtime);
    return names.filter((name) => supports(backend, name));
  }

  function isOffered(tool: unknown, visible: readonly FsToolName[]): boolean {
    const name =
      typeof tool === "object" && tool !== null && "name" in tool ? tool.name : undefined;
    return !isToolName(name) || !names.includes(name) || visible.includes(name);
  }
}

/** What a factory is called with: the runtime, which in a hook of LangChain lacks the state that a backend reads. */
function withState({
  runtime,
  state,
}: {
  readonly runtime: object;
  readonly state: unknown;
}): object {
  return { ...runtime, state };
}

function isEmpty(files: object): boolean {
  return Object.keys(files).length === 0;
}

function limitOf(limit: number | null | undefined, byDefault: number): number | undefined {
  return limit === null ? undefined : (limit ?? byDefault);
}

function promptFor(
  prompt: FilesystemMiddlewareOptions["systemPrompt"],
  visible: readonly FsToolName[],
): string {
  return (typeof prompt === "function" ? prompt(visible) : prompt) ?? "";
}
