import { fileOperationError } from "../backend/transfer-batch.js";
import type { Failure } from "../errors/messages.js";
import type { BackendProtocolV2 } from "../types/protocol.js";
import type { ExecuteResponse, MaybePromise } from "../types/results.js";
import { type MaybeSandbox, type MethodName, wrapBackend } from "./wrap-backend.js";

/** What a call does to a path. */
export type FilesystemOperation = "read" | "write" | "delete" | "execute";

/** One path that a call touches, and how. */
export interface Access {
  readonly operation: FilesystemOperation;
  /** As the caller wrote it. */
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

/** The part of every result that wrappers look at. */
export interface CallOutcome {
  readonly error?: string | null | undefined;
  readonly code?: string | undefined;
}

/**
 * Stands around every call.
 *
 * @param proceed Makes the call.
 * @param refuse A failed result in the shape of the method.
 */
export type Around = <R>(
  call: BackendCall,
  proceed: () => Promise<R>,
  refuse: (failure: Failure) => R,
) => Promise<R>;

const reads = (path: string | null | undefined): Access => ({
  operation: "read",
  path: path ?? "/",
});
const writes = (path: string): Access => ({ operation: "write", path });
const deletes = (path: string): Access => ({ operation: "delete", path });

const failed = (failure: Failure): Failure => failure;

/** A backend with one function around every call, whatever its method. */
export function interceptBackend(
  inner: MaybeSandbox,
  around: Around,
  dropped: Parameters<typeof wrapBackend>[2] = [],
): BackendProtocolV2 {
  const intercept = <A extends readonly unknown[], R>(
    method: MethodName,
    proceed: (...args: A) => MaybePromise<R>,
    accesses: (...args: A) => readonly Access[],
    refuse: (failure: Failure, ...args: A) => NoInfer<R>,
  ) => {
    return (...args: A): Promise<R> => {
      const command = method === "execute" ? { command: String(args[0]) } : {};
      return around<R>(
        { method, accesses: accesses(...args), args, ...command },
        async () => proceed(...args),
        (failure) => refuse(failure, ...args),
      );
    };
  };
  return wrapBackend(
    inner,
    {
      ls: (call) => intercept("ls", call, (path) => [reads(path)], failed),
      read: (call) => intercept("read", call, (path) => [reads(path)], failed),
      readRaw: (call) => intercept("readRaw", call, (path) => [reads(path)], failed),
      glob: (call) => intercept("glob", call, (_, path) => [reads(path)], failed),
      grep: (call) => intercept("grep", call, (_, path) => [reads(path)], failed),
      write: (call) => intercept("write", call, (path) => [writes(path)], failed),
      edit: (call) => intercept("edit", call, (path) => [reads(path), writes(path)], failed),
      multiEdit: (call) =>
        intercept("multiEdit", call, (path) => [reads(path), writes(path)], failed),
      delete: (call) => intercept("delete", call, (path) => [deletes(path)], failed),
      move: (call) =>
        intercept("move", call, (from, to) => [reads(from), deletes(from), writes(to)], failed),
      copy: (call) => intercept("copy", call, (from, to) => [reads(from), writes(to)], failed),
      uploadFiles: (call) =>
        intercept(
          "uploadFiles",
          call,
          (files) => files.map(([path]) => writes(path)),
          (failure, files) => files.map(([path]) => ({ path, ...batchFailure(failure) })),
        ),
      downloadFiles: (call) =>
        intercept(
          "downloadFiles",
          call,
          (paths) => paths.map(reads),
          (failure, paths) =>
            paths.map((path) => ({ path, content: null, ...batchFailure(failure) })),
        ),
      execute: (call) =>
        intercept("execute", call, () => [{ operation: "execute", path: "/" }], failedExecution),
    },
    dropped,
  );
}

/** A failure as one entry of a batch transfer has it. */
export function batchFailure({ code }: Failure): {
  error: ReturnType<typeof fileOperationError>;
  code: Failure["code"];
} {
  return { error: fileOperationError(code), code };
}

/** A failure as `execute` answers it. */
export function failedExecution(failure: Failure): ExecuteResponse {
  return { output: failure.error, exitCode: null, truncated: false, ...failure };
}

/** Tells how a call ended: `undefined` when it succeeded, otherwise its code, or of a batch the first one. */
export function failureCode(result: unknown): string | undefined {
  if (Array.isArray(result)) {
    return result.map(failureCode).find((code) => code !== undefined);
  }
  if (typeof result !== "object" || result === null) return undefined;
  const { error, code }: CallOutcome = result;
  return error === undefined || error === null ? undefined : (code ?? "unavailable");
}
