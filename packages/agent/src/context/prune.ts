import type { BaseMessage } from "@langchain/core/messages";
import { type Compacted, type Compaction, saveMessages } from "./compact.js";
import { groupsOf, hiddenIds, type SummaryState } from "./summary-state.js";
import { isWholeInTranscript } from "./transcript.js";

/** Messages that may leave the state. */
export interface Prunable extends Pick<Compacted, "files"> {
  readonly gone: readonly BaseMessage[];
}

/** The messages that the summary stands for, once they are all in the history file. */
export async function prunable(look: Compaction, found: Compacted | undefined): Promise<Prunable> {
  const files = found?.files ?? {};
  const summary = found?.summary ?? look.summary;
  if (look.options.prune !== true || summary?.unsaved === true) return { gone: [], files };
  const gone = withFullTranscript(look.messages, summary);
  if (gone.length === 0 || found?.saved === true) return { gone, files };
  const now = await saveMessages(look, gone);
  return { gone: now.saved ? gone : [], files: { ...files, ...now.files } };
}

/** The hidden messages of which the history file has everything. Calls and their results go or stay together. */
function withFullTranscript(
  messages: readonly BaseMessage[],
  summary: SummaryState | undefined,
): BaseMessage[] {
  const hidden = hiddenIds(messages, summary);
  return groupsOf(messages)
    .filter((group) => group.every((one) => hidden.has(one.id ?? "") && isWholeInTranscript(one)))
    .flat();
}
