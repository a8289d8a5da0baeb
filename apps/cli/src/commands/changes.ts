import { summaryOf } from "@fs/staging";
import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { stagingOf } from "../layers.js";
import { printable } from "../printable.js";
import { selectionOf } from "../selection.js";

/** `changes`: what is staged, a line for each file. */
export const run: Run = async (context, globs) => {
  const staging = await stagingOf(context);
  const staged = await staging.changes(selectionOf(globs), { signal: context.signal });
  return answer(context, staged, (set) => summaryOf(set).map(printable));
};
