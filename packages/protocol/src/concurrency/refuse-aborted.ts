import { VolumeError } from "../errors/volume-error.js";

/** Throws `aborted` when the signal has fired: what has not been begun then is not begun. */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new VolumeError("aborted");
}
