import type { Feature } from "../types/protocol.js";

/** What every backend on a volume offers. One list of all of them, so that no caller may change it. */
export const VOLUME_FEATURES: readonly Feature[] = Object.freeze<Feature[]>([
  "stat",
  "versions",
  "conditionalUploads",
  "pages",
]);
