import { warnOnce } from "../call/warn-once.js";
import type { AnyBackendProtocol } from "../border/any-backend.js";
import { checkedConfiguration } from "../call/configuration.js";
import { currentCaller } from "../call/caller.js";
import { type BackendCall, failureCode, interceptBackend } from "./intercept.js";
import type { Wrapped } from "./wrap-backend.js";

/** The part of an OpenTelemetry span that is used. */
export interface TracingSpan {
  setAttribute(key: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}

/** The part of an OpenTelemetry tracer that is used. */
export interface TracingTracer {
  startActiveSpan<T>(name: string, task: (span: TracingSpan) => T): T;
}

export interface TracingOptions {
  /** Default: the tracer `@fs/protocol` of `@opentelemetry/api`, which must then be installed. */
  tracer?: TracingTracer;
  /** Whether spans carry the paths of calls, as `fs.path`. Default `true`. */
  paths?: boolean;
}

/** `SpanStatusCode.ERROR` of the OpenTelemetry API. */
const STATUS_ERROR = 2;

/**
 * A backend whose calls are OpenTelemetry spans named `fs.read`, `fs.write` …, with `fs.code` and an error status on
 * failure. Contents are never recorded.
 */
export function withTracing<B extends AnyBackendProtocol>(
  backend: B,
  options: TracingOptions = {},
): Wrapped<B> {
  checkedConfiguration("withTracing", options, { tracer: "object", paths: "flag" });
  const traced = <R>(
    tracer: TracingTracer,
    { method, accesses }: BackendCall,
    proceed: () => Promise<R>,
  ): Promise<R> =>
    tracer.startActiveSpan(`fs.${method}`, async (span) => {
      const { threadId, toolCallId } = currentCaller();
      if (threadId !== undefined) span.setAttribute("fs.thread_id", threadId);
      if (toolCallId !== undefined) span.setAttribute("fs.tool_call_id", toolCallId);
      const path = accesses[0]?.path;
      if (options.paths !== false && path !== undefined) span.setAttribute("fs.path", path);
      try {
        const result = await proceed();
        const code = failureCode(result);
        if (code !== undefined) {
          span.setAttribute("fs.code", code);
          span.setStatus({ code: STATUS_ERROR, message: code });
        }
        return result;
      } finally {
        span.end();
      }
    });
  // `null`: there is none.
  let tracer: TracingTracer | null | undefined = options.tracer;
  return interceptBackend(backend, (call, proceed) => {
    if (tracer === null) return proceed();
    if (tracer !== undefined) return traced(tracer, call, proceed);
    return globalTracer().then((found) => {
      tracer = found ?? null;
      return found === undefined ? proceed() : traced(found, call, proceed);
    });
  });
}

/** `undefined` without the optional package: files must not become unreachable because nobody looks. */
async function globalTracer(): Promise<TracingTracer | undefined> {
  try {
    const { trace } = await import("@opentelemetry/api");
    return trace.getTracer("@fs/protocol");
  } catch (error) {
    const missing =
      error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!missing) throw error;
    warnOnce(
      "FS_NO_TRACING",
      "withTracing makes no spans: install @opentelemetry/api, or pass a tracer.",
    );
    return undefined;
  }
}
