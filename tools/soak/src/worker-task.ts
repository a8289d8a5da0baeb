import type { Place } from "./open-backend.js";

/** What a worker is to do, as its argument. */
export interface WorkerTask {
  /** Differs for every process that was ever started. */
  readonly name: string;
  readonly places: readonly Place[];
  /** The folder of the journals. */
  readonly journals: string;
  /** How many calls it makes side by side on each storage. */
  readonly streams: number;
  /** Milliseconds between two episodes of a stream, on average. */
  readonly pauseMs: number;
  /** A module whose `wrap` is put around every backend: the wrong ones that the oracle must find. */
  readonly wrapper?: string;
}

/** A message to a worker. */
export type Order = { readonly kind: "stop" } | { readonly kind: "exhaust"; readonly ms: number };
