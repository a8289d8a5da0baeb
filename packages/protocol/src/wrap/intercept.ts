import type { AnyBackendProtocol } from "../border/any-backend.js";
import { givenPath } from "../errors/messages.js";
import { batchPaths, refusedBatch } from "../call/answer-batch.js";
import {
  type BackendMethods,
  type FilesystemOperation,
  METHOD_NAMES,
  type MethodName,
  METHODS,
  type OptionalMethod,
} from "../call/methods.js";
import { promised } from "../concurrency/maybe-promise.js";
import { canonicalPath } from "../paths/path.js";
import type { Failure } from "../types/outcome.js";
import type { ExecuteResponse } from "../types/results.js";
import { type Wrapped, wrapBackend, type Wrapping } from "./wrap-backend.js";

/** One path that a call touches, and how. */
export interface Access {
  readonly operation: FilesystemOperation;
  /** Canonical; as the caller wrote it where that is no path. */
  readonly path: string;
}

/** One call on a backend, as wrappers see it. */
export interface BackendCall {
  readonly method: MethodName;
  readonly accesses: readonly Access[];
  /** The command, for `execute`. */
  readonly command?: string;
  /** The arguments as they were passed. */
  readonly args: readonly unknown[];
}

/**
 * Is called around every call.
 *
 * @param proceed Makes the call.
 * @param refuse A failed result in the shape of the method.
 */
export type Around = <R>(
  call: BackendCall,
  proceed: () => Promise<R>,
  refuse: (failure: Failure) => R,
) => Promise<R>;

/**
 * A backend with one function around every call, whatever its method.
 *
 * @param dropped Optional methods that are left out.
 */
export function interceptBackend<B extends AnyBackendProtocol>(
  backend: B,
  around: Around,
  dropped: readonly OptionalMethod[] = [],
): Wrapped<B> {
  const intercept =
    <K extends MethodName>(method: K) =>
    (inner: BackendMethods[K]): BackendMethods[K] => {
      const intercepted = (...args: readonly unknown[]): Promise<unknown> =>
        around<unknown>(
          { method, accesses: accessesOf(method, args), args, ...commandOf(method, args) },
          () => promised(() => Reflect.apply(inner, undefined, args)),
          (failure) => refusalOf(method, args, failure),
        );
      return intercepted as BackendMethods[K];
    };
  const methods = Object.fromEntries(
    METHOD_NAMES.map((method) => [method, intercept(method)]),
  ) as unknown as Wrapping;
  return wrapBackend(backend, { ...methods, removeEmpty: emptiedWithin(around) }, dropped);
}

/** The removal of an emptied directory as the wrapper sees it: as a call of `delete`. */
function emptiedWithin(around: Around): NonNullable<Wrapping["removeEmpty"]> {
  return (inner) => async (path, call, unlisted) => {
    await around<unknown>(
      { method: "delete", accesses: [{ operation: "delete", path }], args: [path, call] },
      async () => {
        await inner(path, call, unlisted);
        return { path };
      },
      (failure) => failure,
    );
  };
}

function commandOf(method: MethodName, args: readonly unknown[]): { command?: string } {
  return method === "execute" ? { command: String(args[0]) } : {};
}

/** What a call does to which paths, by the table of methods. */
function accessesOf(method: MethodName, args: readonly unknown[]): Access[] {
  const { answer, paths } = METHODS[method];
  if (answer === "execution") return [{ operation: "execute", path: "/" }];
  const accesses: Access[] = [];
  for (const { argument, operations, optional = false } of paths) {
    const given = args[argument];
    for (const written of answer === "batch" ? batchPaths(given) : [given]) {
      const missing = optional && (written === undefined || written === null || written === "");
      const path = missing ? "/" : canonicalOr(written);
      for (const operation of operations) accesses.push({ operation, path });
    }
  }
  return accesses;
}

function canonicalOr(path: unknown): string {
  const canonical = canonicalPath(path);
  return canonical.failure === undefined ? canonical.path : givenPath(path);
}

/** A refused call as the method answers it. */
function refusalOf(method: MethodName, args: readonly unknown[], failure: Failure): unknown {
  switch (METHODS[method].answer) {
    case "result":
      return failure;
    case "execution":
      return failedExecution(failure);
    case "batch":
      return refusedBatch(
        method === "downloadFiles" ? method : "uploadFiles",
        batchPaths(args[0]),
        failure.code,
      );
  }
}

/** A failure as `execute` answers it. */
export function failedExecution(failure: Failure): ExecuteResponse {
  return { output: failure.error, exitCode: null, truncated: false, ...failure };
}

/** How a call ended: `undefined` when it succeeded, otherwise its code, or of a batch the first one. */
export function failureCode(result: unknown): string | undefined {
  if (Array.isArray(result)) {
    return result.map(failureCode).find((code) => code !== undefined);
  }
  if (typeof result !== "object" || result === null || !("error" in result)) return undefined;
  if (result.error === undefined || result.error === null) return undefined;
  return "code" in result && typeof result.code === "string" ? result.code : "unavailable";
}
