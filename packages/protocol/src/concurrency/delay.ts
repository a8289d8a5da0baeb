import { VolumeError } from "../errors/volume-error.js";
import { onAbort } from "./on-abort.js";

/** Waits some milliseconds. Rejects with a `VolumeError` `aborted` once the signal fires. */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) throw new VolumeError("aborted");
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      forget?.();
      resolve();
    }, ms);
    const forget =
      signal &&
      onAbort(signal, () => {
        clearTimeout(timer);
        reject(new VolumeError("aborted"));
      });
  });
}
