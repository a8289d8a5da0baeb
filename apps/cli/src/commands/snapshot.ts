import { takeSnapshot } from "@fs/journal";
import { failureFromThrown } from "@fs/protocol/author";
import { answer } from "../answer.js";
import type { Context, Run } from "../context.js";
import { journalOf } from "../layers.js";
import { keepSnapshot, snapshotBlobs } from "../snapshots.js";

/** `snapshot`: keeps the files as they are under a name, beside the journal. */
export const run: Run = async (context, [name = "", glob]) =>
  answer(context, await snapshot(context, name, glob), ({ files }) => [
    `Kept ${files} files as ${name}`,
  ]);

async function snapshot(context: Context, name: string, glob: string | undefined) {
  const { tree, store } = await journalOf(context);
  try {
    const taken = await takeSnapshot(tree.backend, {
      blobs: snapshotBlobs(store),
      signal: context.signal,
      ...(glob === undefined ? {} : { glob }),
    });
    await keepSnapshot(store, name, taken);
    return { name, taken: taken.taken, files: taken.files.length };
  } catch (error) {
    return failureFromThrown(error, name);
  }
}
