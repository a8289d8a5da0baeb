import { estimateTokens, type FilesUpdate } from "@fs/middleware";
import type { BaseMessage } from "@langchain/core/messages";
import type { Filesystem } from "@fs/protocol";
import type { OnError } from "../types/report.js";
import { cuttable } from "./cut.js";
import { historyPath, trySaving } from "./history-file.js";
import { limitsFor, type SummarizationOptions } from "./options.js";
import { measured, savedBy } from "./sent-size.js";
import { effectiveMessages, hiddenIds, keyOf, type SummaryState } from "./summary-state.js";
import { completed, mechanicalSummary } from "./summary-text.js";
import { writeSummary } from "./write-summary.js";

/** One look at a conversation. */
export interface Compaction {
  readonly messages: readonly BaseMessage[];
  readonly summary: SummaryState | undefined;
  /** The agent's model, for its window; and for the summary unless the options name another. */
  readonly model: unknown;
  /** The model that writes the summary. */
  readonly summarizer: () => Promise<unknown>;
  readonly options: SummarizationOptions;
  /** Estimated tokens of the prompt and the tools. */
  readonly overhead: number;
  /** Whose history it is: the names of the folder and of the file. */
  readonly owner: { readonly thread: string; readonly agent: string };
  readonly backend: () => Promise<Filesystem>;
  readonly signal: AbortSignal | undefined;
  readonly report: OnError;
  /** The provider refused the conversation as too long, whatever was estimated. */
  readonly overflowed?: boolean;
}

/** What one look at a conversation came to. */
export interface Compacted {
  readonly summary: SummaryState;
  /** Whether every message that the summary stands for was found in the history file, or put there. */
  readonly saved: boolean;
  /** What the saving left for the state's `files`. */
  readonly files: FilesUpdate;
}

/**
 * What the thread has to remember so that the next model call fits, or `undefined` when it fits as it is. First the long
 * arguments of old writes go, then the messages before the last few: saved, summarized, and only then replaced.
 */
export async function compacted(look: Compaction): Promise<Compacted | undefined> {
  const { messages, summary, options, overflowed = false } = look;
  const count = options.tokenCounter ?? estimateTokens;
  const limits = limitsFor(look.model, options);
  const longest = options.maxArgumentLength ?? 2000;
  const sent = effectiveMessages(messages, summary);
  const size = measured(sent, summary, look.overhead, count, longest);
  if (!overflowed && !limits.reached({ tokens: size, messages: sent.length })) return undefined;

  const hidden = hiddenIds(messages, summary);
  const open = messages.filter(({ id }) => id === undefined || !hidden.has(id));
  const old =
    [limits, { ...limits, keepTokens: 0 }]
      .slice(0, overflowed || size >= limits.hard ? 2 : 1)
      .map((limit) => cuttable(open, limit, count))
      // Where estimates say that all may stay although the provider says it cannot, only the last group does.
      .find((found) => found.length > 0) ?? [];
  const shortenedTo = old.at(-1)?.id ?? summary?.shortenedTo;
  const at = messages.at(-1)?.id;
  const shortened: Compacted = {
    summary: { covered: [], ...summary, shortenedTo, at },
    saved: false,
    files: {},
  };
  // What the provider reported stays true but for what is cut now.
  const smaller = size - savedBy(sent, summary?.shortenedTo, shortenedTo, count, longest);
  const unchanged = shortenedTo === summary?.shortenedTo;
  if (!overflowed && !limits.reached({ tokens: smaller, messages: sent.length }))
    return unchanged ? undefined : shortened;
  if (old.length === 0) return undefined;

  const mustShrink = overflowed || smaller >= limits.hard;
  // What an earlier look could not save, and what is to leave the state, has to be in the file as well.
  const all = options.prune === true || summary?.unsaved === true;
  const covered = new Set(old);
  const { saved, files } = await saveMessages(
    look,
    all ? messages.filter((one) => covered.has(one) || hidden.has(one.id ?? "")) : old,
  );
  if (!saved && !mustShrink) return unchanged ? undefined : shortened;
  const text = await summaryOf(look, old, mustShrink);
  if (text === undefined) {
    if (!unchanged) return { ...shortened, files };
    return isEmpty(files) ? undefined : { summary: summary ?? { covered: [] }, saved, files };
  }
  const here = new Set(messages.map(keyOf));
  const next: SummaryState = {
    ...shortened.summary,
    text: completed(text, old),
    // Keys of messages that are gone from the state have nothing to hide any more.
    covered: [...(summary?.covered ?? []), ...old.map(keyOf)].filter((key) => here.has(key)),
    upTo: old.at(-1)?.id,
    path: saved ? pathOf(look) : summary?.path,
    unsaved: saved ? undefined : true,
  };
  return { summary: next, saved, files };
}

/** Whether there is nothing to put into the state. */
export function isEmpty(files: FilesUpdate): boolean {
  return Object.keys(files).length === 0;
}

function pathOf({ options, owner }: Compaction): string {
  return historyPath(options.historyRoot ?? "/conversation_history", owner.thread, owner.agent);
}

/** Puts messages into the history file; reports when they could not all be saved. */
export async function saveMessages(
  look: Compaction,
  messages: readonly BaseMessage[],
): Promise<Pick<Compacted, "saved" | "files">> {
  const { problem, files = {} } = await trySaving(
    look.backend,
    pathOf(look),
    messages,
    look.signal,
  );
  if (problem !== undefined)
    look.report(new Error(`History was not saved: ${problem}`), { where: "history" });
  return { saved: problem === undefined, files };
}

/** The summary; below the hard limit none when the summarizer fails, at it one without a model. */
async function summaryOf(
  look: Compaction,
  old: readonly BaseMessage[],
  mustShrink: boolean,
): Promise<string | undefined> {
  const { options, summary, signal, report } = look;
  try {
    return await writeSummary({
      model: await look.summarizer(),
      messages: old,
      earlier: summary?.text,
      prompt: options.prompt,
      count: options.tokenCounter ?? estimateTokens,
      timeoutMs: options.timeoutMs ?? 120_000,
      signal,
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    report(error, { where: "summary" });
    return mustShrink ? mechanicalSummary(old, summary?.text) : undefined;
  }
}
