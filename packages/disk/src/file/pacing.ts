import { setImmediate as nextTurn } from "node:timers/promises";
import { VolumeError } from "@fs/protocol/author";

/** Milliseconds of synchronous work between two looks at the event loop. */
const SLICE = 4;

/** Cuts long synchronous work into slices, so that the event loop is never held for long. */
export class Pacer {
  readonly signal: AbortSignal | undefined;
  #until = performance.now() + SLICE;

  constructor(signal?: AbortSignal) {
    this.signal = signal;
  }

  /** True when the slice is used up: then {@link rest} is due. */
  get due(): boolean {
    return performance.now() >= this.#until;
  }

  /** Lets others run. Throws `aborted` when the signal has fired. */
  async rest(): Promise<void> {
    // No caller waits for a turn of the event loop once the signal has fired.
    if (this.signal?.aborted !== true) await nextTurn();
    if (this.signal?.aborted === true) throw new VolumeError("aborted");
    this.#until = performance.now() + SLICE;
  }
}
