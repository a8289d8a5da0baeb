import { isCode } from "../errors/certainty.js";
import { givenPath } from "../errors/messages.js";
import type { ErrorCode } from "../errors/codes.js";
import type { CallOptions } from "../types/options.js";
import { untilAborted } from "./attempt.js";
import { batchFailure } from "./batch-failure.js";
import { METHODS } from "./methods.js";
import { checkedOptions } from "./options.js";

type BatchMethod = "uploadFiles" | "downloadFiles";

/** The options of a batch. Reading them may throw, and then each file of the batch has failed. */
function checkedBatchOptions(
  method: BatchMethod,
  options: CallOptions | null | undefined,
): PromiseSettledResult<CallOptions> {
  try {
    return { status: "fulfilled", value: checkedOptions(method, METHODS[method].options, options) };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}

/**
 * Runs a batch until its signal fires: one that only reads answers `aborted` for each file at once; one that changes
 * something is given a moment to answer for itself, because some of its files may have been stored.
 *
 * @param batch As it was passed.
 * @param task Is called at once, with the checked options.
 */
export function answerBatch<R>(
  method: BatchMethod,
  batch: unknown,
  options: CallOptions | null | undefined,
  task: (call: PromiseSettledResult<CallOptions>) => Promise<R[]>,
): Promise<R[]> {
  const call = checkedBatchOptions(method, options);
  const running = task(call);
  const signal = call.status === "fulfilled" ? call.value.signal : undefined;
  if (signal === undefined || signal.aborted) return running;
  // Its caller may change the batch meanwhile.
  const paths = batchPaths(batch);
  return untilAborted(METHODS[method], running, signal).catch((error: unknown) => {
    if (signal.aborted && isCode(error, "aborted"))
      return refusedBatch(method, paths, "aborted") as R[];
    throw error;
  });
}

/** The paths of a batch as they were written: of uploads the first of each tuple. */
export function batchPaths(batch: unknown): unknown[] {
  if (!Array.isArray(batch)) return [];
  return batch.map((item: unknown) => (Array.isArray(item) ? (item as unknown[])[0] : item));
}

/** A batch of which every file is refused, in the shape of its method. */
export function refusedBatch(
  method: BatchMethod,
  paths: readonly unknown[],
  code: ErrorCode,
): unknown[] {
  const nothing = method === "downloadFiles" ? { content: null } : {};
  return paths.map((path) => ({ path: givenPath(path), ...nothing, ...batchFailure(code) }));
}
