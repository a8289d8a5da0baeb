import type { BaseLayer } from "./base-layer.js";
import type { UpperLayer } from "./upper-layer.js";

/** The versions of staged files, as the merged tree shows them. */
export const STAGED_VERSION = "s:";

/** The two layers of an overlay. */
export interface Layers {
  readonly upper: UpperLayer;
  readonly base: BaseLayer;
}
