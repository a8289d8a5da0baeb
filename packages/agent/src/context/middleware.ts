import { ContextOverflowError } from "@langchain/core/errors";
import { AIMessage, type BaseMessage, RemoveMessage } from "@langchain/core/messages";
import { Command, StateSchema } from "@langchain/langgraph";
import { type AgentMiddleware, createMiddleware, initChatModel, type Runtime } from "langchain";
import type { FilesystemPermission } from "@fs/protocol";
import { causeOf } from "../errors/tool-errors.js";
import { type BackendOption, estimateTokens } from "@fs/middleware";
import { fileSource } from "../files/source.js";
import { type OnError, reporter } from "../types/report.js";
import { checkSummarizationOptions } from "../check/middleware-options.js";
import { compacted, type Compaction, isEmpty } from "./compact.js";
import type { SummarizationOptions } from "./options.js";
import { overheadOf } from "./overhead.js";
import { ownerOf } from "./owner.js";
import { prunable } from "./prune.js";
import { shortenArguments } from "./shorten-arguments.js";
import { hiddenIds, type SummaryState, summaryValue, withoutHidden } from "./summary-state.js";

/** Options of {@link createSummarizationMiddleware}. */
export interface SummarizationMiddlewareOptions extends SummarizationOptions {
  /** Where the history goes. Default `new StateBackend()`. */
  backend?: BackendOption;
  /** Rules that saving obeys; one that would ask a human refuses. */
  permissions?: readonly FilesystemPermission[];
  /** The agent's model, for its window, where `model` names another for the summaries. */
  agentModel?: unknown;
  /** The agent's name: the file of its history. Default `main`. */
  name?: string;
  /**
   * Tokens of the prompt and the tools, for providers that report no usage. Default: an estimate of those of the last model call
   * in this process, and 2000 before the first.
   */
  overheadTokens?: number;
  /** Called with a summary or a history that failed. */
  onError?: OnError;
}

const stateSchema = new StateSchema({ _summary: summaryValue });

/**
 * Middleware that keeps a conversation within the model's window: pointers for long arguments of old writes, then a summary of
 * old messages, which are saved to a file first. The summary is a step of its own before the model call, so that a model that
 * fails after it does not have it made again. The messages stay in the state unless `prune` is set.
 */
export function createSummarizationMiddleware(options: SummarizationMiddlewareOptions = {}) {
  checkSummarizationOptions(options);
  const source = fileSource(options.backend, options.permissions);
  const report = reporter(options.onError);
  const longest = options.maxArgumentLength ?? 2000;
  const count = options.tokenCounter ?? estimateTokens;
  const agentModel = loadedOnce(options.agentModel ?? options.model);
  const ownSummarizer = options.model === undefined ? undefined : loadedOnce(options.model);
  let overhead = options.overheadTokens ?? 2000;

  const look = async (
    messages: readonly BaseMessage[],
    summary: SummaryState | undefined,
    runtime: Pick<Runtime, "configurable" | "signal">,
    refusedBy?: unknown,
  ): Promise<Compaction> => {
    const model = refusedBy ?? (await agentModel());
    return {
      messages,
      summary,
      model,
      // Loaded when it is needed: one that cannot be loaded is one that fails.
      summarizer: async () => (await ownSummarizer?.()) ?? model,
      options,
      overhead,
      owner: ownerOf(runtime.configurable, options.name, messages),
      backend: () => source({ ...runtime, state: { messages } }),
      signal: runtime.signal,
      report,
      overflowed: refusedBy !== undefined,
    };
  };

  return createMiddleware({
    name: "SummarizationMiddleware",
    stateSchema,
    beforeModel: async (state, runtime) => {
      const { messages: all, _summary: summary } = state;
      const conversation = await look(all, summary, runtime);
      const found = await compacted(conversation);
      const { gone, files } = await prunable(conversation, found);
      const next = found?.summary ?? summary;
      if (next === undefined || (found === undefined && gone.length === 0 && isEmpty(files)))
        return undefined;
      return {
        _summary: gone.length === 0 ? next : { ...next, pruned: true },
        messages: gone.map(({ id = "" }) => new RemoveMessage({ id })),
        ...(isEmpty(files) ? {} : { files }),
      };
    },
    wrapModelCall: async (request, handler) => {
      const { messages: all, _summary: summary } = request.state;
      if (options.overheadTokens === undefined)
        overhead = overheadOf(request.systemMessage, request.tools, count);
      const reduced = (made: SummaryState | undefined): BaseMessage[] =>
        shortenArguments(
          withoutHidden(request.messages, hiddenIds(all, made), made),
          made?.shortenedTo,
          longest,
        );
      try {
        return await handler({ ...request, messages: reduced(summary) });
      } catch (error) {
        if (!ContextOverflowError.isInstance(causeOf(error))) throw error;
        const found = await compacted(await look(all, summary, request.runtime, request.model));
        if (found === undefined) throw error;
        const reply = await handler({ ...request, messages: reduced(found.summary) });
        // A structured response is no message, and would be lost beside a Command; the next step then finds its own summary.
        return AIMessage.isInstance(reply)
          ? new Command({
              update: {
                _summary: found.summary,
                ...(isEmpty(found.files) ? {} : { files: found.files }),
              },
            })
          : reply;
      }
    },
  }) satisfies AgentMiddleware;
}

/** A model, loaded when it is first needed if only its name is known. */
function loadedOnce(model: unknown): () => Promise<unknown> {
  let loading: Promise<unknown> | undefined;
  return async () => {
    if (typeof model !== "string") return model;
    loading ??= initChatModel(model).catch((error: unknown) => {
      // The next call tries again: a variable or a package may be there by then.
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
