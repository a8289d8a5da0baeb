/**
 * Order, time limits, signals and streams of changes: what a backend needs around its calls.
 *
 * @module
 */
export { ChangeQueue } from "./author/change-queue.js";
export { watchPath, type WatchCall } from "./author/watch-path.js";
export { isSignal } from "./call/options.js";
export { optionsOf } from "./call/options-of.js";
export { KeyedQueue } from "./concurrency/keyed-queue.js";
export { mapConcurrently } from "./concurrency/map-concurrently.js";
export { onAbort } from "./concurrency/on-abort.js";
export { outcomeOf } from "./concurrency/outcome-of.js";
export { refuseAborted } from "./concurrency/refuse-aborted.js";
export {
  CHANGE_GRACE_MS,
  outcomeUnknown,
  type Wait,
  type WaitEnd,
  waitFor,
} from "./concurrency/wait-for.js";
