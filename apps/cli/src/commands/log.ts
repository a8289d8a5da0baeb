import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { journalOf } from "../layers.js";
import { recordLine } from "../record-line.js";

/** `log`: what was recorded, oldest first, of everything or of one file over its moves. */
export const run: Run = async (context, [path]) => {
  const { journal } = await journalOf(context);
  const history = await journal.history(path, { signal: context.signal });
  return answer(context, history, ({ records }) => records.map(recordLine));
};
