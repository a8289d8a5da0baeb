import { answerApplied } from "../applied.js";
import type { Run } from "../context.js";
import { journalOf } from "../layers.js";

/** `redo`: takes an undo back. */
export const run: Run = async (context, [record = ""]) => {
  const { journal } = await journalOf(context);
  return answerApplied(context, await journal.redo(record));
};
