import type { FilesystemOperation } from "../call/methods.js";
import type { MaybePromise } from "../types/outcome.js";
import type { BackendCall } from "./intercept.js";

/** One access of one call, as a policy sees it. */
export interface PolicyCall extends Omit<BackendCall, "accesses"> {
  readonly operation: FilesystemOperation;
  /** Canonical; as the caller wrote it where that is no path. */
  readonly path: string;
}

/** Looks at an access before it happens. A string it returns refuses the call with that sentence. */
export type BeforeHook = (call: PolicyCall) => MaybePromise<string | undefined | void>;
/** Is called with an access after the call succeeded or failed. */
export type AfterHook = (call: PolicyCall, result: unknown) => MaybePromise<void>;

/** Hooks around the operations of a backend. An edit reads and writes; a move reads, deletes and writes. */
export interface Policy {
  beforeRead?: BeforeHook;
  beforeWrite?: BeforeHook;
  beforeDelete?: BeforeHook;
  beforeExecute?: BeforeHook;
  afterRead?: AfterHook;
  afterWrite?: AfterHook;
  afterDelete?: AfterHook;
  afterExecute?: AfterHook;
  /** Is called with the error of a hook that threw. */
  onError?: (error: unknown, call: PolicyCall) => void;
}
