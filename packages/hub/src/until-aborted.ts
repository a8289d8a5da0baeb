import { onAbort } from "@fs/protocol/async";
import { VolumeError } from "@fs/protocol/author";

/** A promise of something that changes nothing, given up with `aborted` as soon as the signal fires. */
export async function untilAborted<T>(
  task: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return task;
  let done: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new VolumeError("aborted"));
    if (signal.aborted) giveUp();
    else done = onAbort(signal, giveUp);
  });
  try {
    return await Promise.race([task, aborted]);
  } finally {
    done?.();
  }
}
