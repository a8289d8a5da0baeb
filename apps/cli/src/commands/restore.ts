import { applyChanges, type ApplyReport } from "@fs/changes";
import { diffSnapshots, takeSnapshot } from "@fs/journal";
import { failureFromThrown } from "@fs/protocol/author";
import { answerApplied } from "../applied.js";
import type { Context, Options, Run } from "../context.js";
import { journalOf } from "../layers.js";
import { textOption } from "../numbers.js";
import { snapshotBlobs, snapshotNamed } from "../snapshots.js";
import { UsageError } from "../usage-error.js";

/** `restore`: files as a snapshot has them, or as they were at a time. */
export const run: Run = async (context, [name], options) => {
  const at = textOption(options, "at");
  const only = textOption(options, "only");
  if ((name === undefined) === (at === undefined))
    throw new UsageError("restore takes the name of a snapshot, or --at <time>.");
  if (name !== undefined)
    return answerApplied(context, await restored(context, name, only, options));
  if (options["dryRun"] === true) throw new UsageError("--dry-run needs a snapshot.");
  const { journal } = await journalOf(context);
  return answerApplied(context, await journal.restoreTo(at ?? "", only));
};

async function restored(
  context: Context,
  name: string,
  only: string | undefined,
  { dryRun }: Options,
): Promise<ApplyReport | { readonly error: string }> {
  const { tree, store } = await journalOf(context);
  const { signal } = context;
  const blobs = snapshotBlobs(store);
  try {
    const wanted = await snapshotNamed(store, name);
    const now = await takeSnapshot(tree.backend, {
      blobs,
      previous: wanted,
      glob: wanted.glob,
      signal,
    });
    return await applyChanges(tree.backend, diffSnapshots(now, wanted), {
      blobs,
      signal,
      dryRun: dryRun === true,
      ...(only === undefined ? {} : { only }),
    });
  } catch (error) {
    return failureFromThrown(error, name);
  }
}
