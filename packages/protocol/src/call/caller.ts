import { asyncContext } from "../host/async-context.js";

/** On whose behalf a call is made. */
export interface Caller {
  /** A user or service. */
  readonly actor?: string | undefined;
  readonly threadId?: string | undefined;
  /** One run of the agent within the thread: what a person sees as one answer. */
  readonly turnId?: string | undefined;
  readonly toolCallId?: string | undefined;
}

const current = asyncContext<Caller>();

/** Runs a task on somebody's behalf: wrappers below it, such as the audit, can tell who called. */
export function runAsCaller<T>(caller: Caller, task: () => T): T {
  return current.run(caller, task);
}

/** On whose behalf the running call is made; empty when nobody said. */
export function currentCaller(): Caller {
  return current.getStore() ?? {};
}
