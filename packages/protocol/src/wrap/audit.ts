import { failure } from "../errors/messages.js";
import type { AnyBackendProtocol } from "../border/any-backend.js";
import { guardListener } from "../call/guard-listener.js";
import { checkedConfiguration } from "../call/configuration.js";
import { currentCaller, type Caller } from "../call/caller.js";
import { type Access, failureCode, interceptBackend } from "./intercept.js";
import type { Wrapped } from "./wrap-backend.js";
import { isoTimeOf } from "../host/iso-time.js";
import { isPromise } from "../concurrency/maybe-promise.js";
import type { MaybePromise } from "../types/outcome.js";
import type { MethodName } from "../call/methods.js";

/** One line of an audit trail. */
export interface AuditEntry extends Caller {
  /** `"begin"` before a change is made, `"end"` after any call. */
  readonly phase: "begin" | "end";
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly method: MethodName;
  readonly accesses: readonly Access[];
  /** The command, for `execute`. */
  readonly command?: string;
  /** Of an `"end"`: `"ok"`, or the code of the failure. */
  readonly outcome?: string;
  /** Of an `"end"`: milliseconds that the call took. */
  readonly duration?: number;
}

/** Where audit entries go. Awaited. */
export type AuditSink = (entry: AuditEntry) => void | Promise<void>;

export interface AuditOptions {
  /** Called with the error of a sink that failed before or after a call had taken effect. */
  onError?: (error: unknown, entry: AuditEntry) => void;
}

/**
 * A backend whose calls leave a trail. Before anything is changed the sink is told and awaited: if it fails, the call is
 * refused with `unavailable` and nothing happens. After every call it is told how the call ended. Contents are never
 * part of an entry.
 */
export function withAudit<B extends AnyBackendProtocol>(
  backend: B,
  sink: AuditSink,
  options: AuditOptions = {},
): Wrapped<B> {
  if (typeof sink !== "function") throw new TypeError("The sink of withAudit must be a function.");
  checkedConfiguration("withAudit", options, { onError: "function" });
  return interceptBackend(backend, async ({ method, accesses, command }, proceed, refuse) => {
    const subject = command === undefined ? undefined : { command };
    // Assigned and not spread: three spreads took a third of an audited read.
    const described = (entry: AuditEntry): AuditEntry =>
      Object.assign(entry, currentCaller(), subject);
    if (accesses.some(({ operation }) => operation !== "read")) {
      const failed = record(
        sink,
        described({ phase: "begin", time: now(), method, accesses }),
        options,
      );
      if (isPromise(failed) ? await failed : failed)
        return refuse(failure("unavailable", accesses[0]?.path, NOT_RECORDED));
    }
    const started = performance.now();
    let outcome = "unavailable";
    try {
      const result = await proceed();
      outcome = failureCode(result) ?? "ok";
      return result;
    } finally {
      const duration = performance.now() - started;
      const ended = { phase: "end", time: now(), method, accesses, outcome, duration } as const;
      const failed = record(sink, described(ended), options);
      if (isPromise(failed)) await failed;
    }
  });
}

const NOT_RECORDED = "The call could not be recorded, so it was not made. Try again later.";

function now(): string {
  return isoTimeOf(Date.now());
}

/** Returns whether the sink failed. Waits only where it has to. */
function record(sink: AuditSink, entry: AuditEntry, options: AuditOptions): MaybePromise<boolean> {
  const failed = (error: unknown): boolean => {
    guardListener(() => options.onError?.(error, entry));
    return true;
  };
  try {
    const recorded = sink(entry);
    return isPromise(recorded) ? recorded.then(() => false, failed) : false;
  } catch (error) {
    return failed(error);
  }
}
