import type { BaseMessage } from "@langchain/core/messages";
import { type Compacted, type Compaction, savedMessages } from "./compact.js";
import { groupsOf, hiddenIds, type SummaryState } from "./summary-state.js";
import { isWholeInTranscript } from "./transcript.js";

/** The messages that may leave the state: those that the summary stands for, once they are all in the history file. */
export async function prunable(
  look: Compaction,
  found: Compacted | undefined,
): Promise<BaseMessage[]> {
  const summary = found?.summary ?? look.summary;
  if (look.options.prune !== true || summary?.unsaved === true) return [];
  const gone = withFullTranscript(look.messages, summary);
  if (gone.length === 0 || found?.saved === true) return gone;
  return (await savedMessages(look, gone)) ? gone : [];
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
