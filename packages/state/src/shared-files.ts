import { VolumeError } from "@fs/protocol/author";
import { currentActor, SHARED, SharedOwner } from "./actor.js";
import { Superstep } from "./superstep.js";
import { superstepOf } from "./supersteps.js";
import { waitingCheckpointer } from "./waiting-checkpointer.js";

/** What a caller passes to a subagent's `configurable`, besides entries of its own. */
export type SharedFiles = Readonly<Record<string, unknown>>;

/**
 * Lets a subagent work on the caller's files. A tool, or any node, passes the result in the `configurable` of the graph that
 * it runs: every `StateBackend` in that graph, and in graphs below it, then reads and changes the files of the caller's
 * superstep. No file is copied in or handed back, and what any of them was acknowledged the others see.
 *
 * What such a graph was acknowledged is also kept with its own checkpoints. When the run is resumed after an interrupt or a
 * crash, LangGraph runs the caller again while the subagent goes on from where it was; the changes of the steps that it does
 * not repeat are then applied again, once.
 *
 * Call it in the task that awaits the subagent, each time. Throws a `VolumeError` with code `unsupported` outside a running
 * graph, and where the graph has no `files` field.
 *
 * @example
 * const task = tool(async ({ description }) => {
 *   const messages = [{ role: "user", content: description }];
 *   const result = await subagent.invoke({ messages }, { configurable: sharedFiles() });
 *   return result.messages.at(-1)?.text ?? "";
 * }, { name: "task", description: "Delegates.", schema });
 */
export function sharedFiles(): SharedFiles {
  const actor = currentActor();
  if (actor === undefined)
    throw new VolumeError(
      "unsupported",
      "sharedFiles() must be called in a node or tool of a running graph: outside one there are no files to share.",
    );
  const { owner } = actor;
  const shared = { [SHARED]: new SharedOwner(owner) };
  const step = superstepOf(owner);
  if (step instanceof Superstep) {
    step.adopt(owner);
    return shared;
  }
  const adopted = step.then((ready) => ready.adopt(owner));
  return { ...shared, ...waitingCheckpointer(adopted) };
}
