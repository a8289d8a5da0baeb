import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { stagingOf } from "../layers.js";
import { printable } from "../printable.js";
import { selectionOf } from "../selection.js";
import { UsageError } from "../usage-error.js";

/** `discard`: takes staged changes back. Everything only where that is said. */
export const run: Run = async (context, globs, { all }) => {
  if ((all === true) === globs.length > 0)
    throw new UsageError("discard takes globs of what to discard, or --all.");
  const staging = await stagingOf(context);
  const discarded = await staging.discard(selectionOf(globs), { signal: context.signal });
  return answer(context, discarded, ({ paths }) =>
    paths.map((path) => `Discarded ${printable(path)}`),
  );
};
