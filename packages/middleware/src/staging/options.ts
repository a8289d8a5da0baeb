import { type AnyBackendProtocol, ConfigurationError } from "@fs/protocol";
import { isRecord } from "@fs/tools";

/** How changes are staged, see {@link FilesystemMiddlewareOptions.staging}. */
export interface StagingSettings {
  /**
   * True: when the agent ends its turn, the run is paused with the patch of what is staged, and goes on with a person's
   * decision. Default `false`: staged changes wait in `upper` until a program commits them.
   */
  approve?: boolean;
  /**
   * Where staged changes are kept: a backend with versions and conditional uploads that all threads share, or what makes
   * one of LangGraph's runtime. Default: in memory, one for each thread; only with `approve`.
   */
  upper?: AnyBackendProtocol | ((runtime: unknown) => AnyBackendProtocol);
  /** What becomes of an approved text that someone else changed elsewhere: `"merge"` keeps both. Default `"refuse"`: a conflict. */
  strategy?: "refuse" | "merge";
}

const NAMES = ["approve", "upper", "strategy"];

/** The settings, or `undefined` without staging. Throws a TypeError for wrong ones, a ConfigurationError for staged changes that nothing could commit. */
export function stagingSettings(staging: unknown): StagingSettings | undefined {
  if (staging === undefined || staging === null || staging === false) return undefined;
  if (!isRecord(staging))
    throw new TypeError("'staging' must be an object, such as { approve: true }.");
  const unknown = Object.keys(staging).find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`'staging' has no option '${unknown}'. It has ${NAMES.join(", ")}.`);
  const { approve, upper, strategy } = staging;
  if (approve !== undefined && typeof approve !== "boolean")
    throw new TypeError("'staging.approve' must be true or false.");
  if (upper !== undefined && (upper === null || !["object", "function"].includes(typeof upper)))
    throw new TypeError("'staging.upper' must be a backend or a function that makes one.");
  if (strategy !== undefined && strategy !== "refuse" && strategy !== "merge")
    throw new TypeError("'staging.strategy' must be 'refuse' or 'merge'.");
  if (approve !== true && upper === undefined)
    throw new ConfigurationError(
      "'staging' needs 'approve: true', or an 'upper' from which a program commits; else no change would ever arrive.",
    );
  return staging;
}
