import { answerApplied } from "../applied.js";
import type { Run } from "../context.js";
import { journalOf } from "../layers.js";
import { textOption } from "../numbers.js";

const SELECTORS = ["toolCallId", "turnId", "threadId", "actor", "since"] as const;
const OPTION = {
  toolCallId: "toolCall",
  turnId: "turn",
  threadId: "thread",
  actor: "actor",
  since: "since",
} as const;

/** `undo`: takes recorded changes back; what was changed since stays and is a conflict. */
export const run: Run = async (context, [record], options) => {
  const { journal } = await journalOf(context);
  const named = SELECTORS.flatMap((name) => {
    const value = textOption(options, OPTION[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  const only = textOption(options, "only");
  const report = await journal.undo({
    ...Object.fromEntries(named),
    ...(record === undefined ? {} : { record }),
    ...(only === undefined ? {} : { only }),
  });
  return answerApplied(context, report);
};
