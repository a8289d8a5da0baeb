import { failureFromThrown } from "../errors/from-thrown.js";
import { failure, type Failure } from "../errors/messages.js";
import type { BackendProtocolV2 } from "../types/protocol.js";
import type { MaybePromise } from "../types/results.js";
import { filePairs, pathList } from "./batch-arguments.js";
import { filterBatch } from "./filter-batch.js";
import {
  batchFailure,
  type BackendCall,
  type FilesystemOperation,
  interceptBackend,
} from "./intercept.js";

/** One access of one call, as a policy sees it. */
export interface PolicyCall extends Omit<BackendCall, "accesses"> {
  readonly operation: FilesystemOperation;
  /** As the caller wrote it. */
  readonly path: string;
}

/** Looks at an access before it happens. A string it returns refuses the call with that sentence. */
export type BeforeHook = (call: PolicyCall) => MaybePromise<string | undefined | void>;
/** Hears of an access after the call succeeded or failed. */
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
  /** Hears of a hook that threw. */
  onError?: (error: unknown, call: PolicyCall) => void;
}

const BEFORE = {
  read: "beforeRead",
  write: "beforeWrite",
  delete: "beforeDelete",
  execute: "beforeExecute",
} as const satisfies Record<FilesystemOperation, keyof Policy>;

const AFTER = {
  read: "afterRead",
  write: "afterWrite",
  delete: "afterDelete",
  execute: "afterExecute",
} as const satisfies Record<FilesystemOperation, keyof Policy>;

/**
 * A backend with hooks around its operations. A `before` hook that returns a sentence refuses the call with
 * `permission_denied`; one that throws refuses it too, with the code of a VolumeError or `unavailable`. An `after` hook
 * that throws changes nothing: the call has taken effect.
 *
 * @example
 * withPolicy(backend, {
 *   beforeWrite: ({ path }) => (path.endsWith(".lock") ? "Lock files are written by the build." : undefined),
 * });
 */
export function withPolicy(backend: BackendProtocolV2, policy: Policy): BackendProtocolV2 {
  const wrapped = interceptBackend(backend, async ({ accesses, ...call }, proceed, refuse) => {
    for (const access of accesses) {
      const refused = await before(policy, { ...call, ...access });
      if (refused !== undefined) return refuse(refused);
    }
    const result = await proceed();
    for (const access of accesses) await after(policy, { ...call, ...access }, result);
    return result;
  });
  return withBatches(backend, wrapped, policy);
}

const uploaded = (file: [string, Uint8Array]): PolicyCall => ({
  method: "uploadFiles",
  operation: "write",
  path: file[0],
  args: file,
});
const downloaded = (path: string): PolicyCall => ({
  method: "downloadFiles",
  operation: "read",
  path,
  args: [path],
});

/** Each file of a batch is judged alone: a refused one stops nothing. */
function withBatches(
  inner: BackendProtocolV2,
  wrapped: BackendProtocolV2,
  policy: Policy,
): BackendProtocolV2 {
  const { uploadFiles, downloadFiles } = inner;
  if (uploadFiles !== undefined) {
    wrapped.uploadFiles = async (given, options) => {
      const files = filePairs(given);
      const responses = await filterBatch(
        files,
        (file) => before(policy, uploaded(file)),
        ([path], failed) => ({ path, ...batchFailure(failed) }),
        async (allowed) => uploadFiles.call(inner, allowed, options),
      );
      for (const [index, file] of files.entries())
        await after(policy, uploaded(file), responses[index]);
      return responses;
    };
  }
  if (downloadFiles !== undefined) {
    wrapped.downloadFiles = async (given, options) => {
      const paths = pathList(given);
      const responses = await filterBatch(
        paths,
        (path) => before(policy, downloaded(path)),
        (path, failed) => ({ path, content: null, ...batchFailure(failed) }),
        async (allowed) => downloadFiles.call(inner, allowed, options),
      );
      for (const [index, path] of paths.entries())
        await after(policy, downloaded(path), responses[index]);
      return responses;
    };
  }
  return wrapped;
}

async function before(policy: Policy, call: PolicyCall): Promise<Failure | undefined> {
  try {
    const reason = await policy[BEFORE[call.operation]]?.(call);
    return typeof reason === "string" ? failure("permission_denied", call.path, reason) : undefined;
  } catch (error) {
    policy.onError?.(error, call);
    return failureFromThrown(error, call.path);
  }
}

async function after(policy: Policy, call: PolicyCall, result: unknown): Promise<void> {
  try {
    await policy[AFTER[call.operation]]?.(call, result);
  } catch (error) {
    policy.onError?.(error, call);
  }
}
