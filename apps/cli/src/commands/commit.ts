import { answerApplied } from "../applied.js";
import type { Run } from "../context.js";
import { stagingOf } from "../layers.js";
import { selectionOf } from "../selection.js";

/** `commit`: writes what is staged into the routes; what others have changed is a conflict and stays staged. */
export const run: Run = async (context, globs, { merge, dryRun }) => {
  const staging = await stagingOf(context);
  const only = selectionOf(globs);
  const report = await staging.commit({
    signal: context.signal,
    dryRun: dryRun === true,
    strategy: merge === true ? "merge" : "refuse",
    onProgress: ({ done, total }) => {
      context.output.progress(done, total);
    },
    ...(only === undefined ? {} : { only }),
  });
  return answerApplied(context, report);
};
