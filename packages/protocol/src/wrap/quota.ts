import { KeyedQueue } from "../concurrency/keyed-queue.js";
import { isPromise } from "../concurrency/maybe-promise.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { failure } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import type { CallOptions } from "../types/options.js";
import type { Failure } from "../types/outcome.js";
import { utf8Length } from "../host/utf8-length.js";
import type { FileUploadResponse } from "../types/results.js";
import type { Filesystem } from "../types/protocol.js";
import { adaptBackendProtocol } from "../border/adapt.js";
import type { AnyBackendProtocol } from "../border/any-backend.js";
import { answerBatch } from "../call/answer-batch.js";
import { batchFailure } from "../call/batch-failure.js";
import { checkedConfiguration } from "../call/configuration.js";
import { isSandboxBackend } from "../border/guards.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { interceptBackend } from "./intercept.js";
import { type ChangePlan, ChangePlans, settle } from "./quota-plans.js";
import { Usage, type UsageChange } from "./quota-usage.js";
import { RecentTimes } from "./recent-times.js";
import { type Wrapped, wrapBackend } from "./wrap-backend.js";

export interface Quota {
  /** Bytes that all files may have together. */
  bytes?: number;
  /** Files there may be. */
  files?: number;
  /** Calls of any kind: at most `max` within any `per` milliseconds. */
  operations?: { readonly max: number; readonly per: number };
}

/**
 * A backend with limits. A call that would exceed one answers `quota_exceeded` and changes nothing.
 *
 * Usage is what lies there at the first change and what goes through this wrapper afterwards; what others write to the
 * same storage is not counted. What a call may or may not have changed is looked at again. Changes run one after another, so
 * that two of them cannot share the last byte.
 *
 * Throws a {@link ConfigurationError} for a limit on bytes or files over a backend that can execute: a command writes
 * past it.
 */
export function withQuota<B extends AnyBackendProtocol>(given: B, quota: Quota): Wrapped<B> {
  checkQuota(quota);
  const backend = adaptBackendProtocol(given);
  const limited = quota.operations === undefined ? backend : limitRate(backend, quota.operations);
  if (quota.bytes === undefined && quota.files === undefined) return limited as Wrapped<B>;
  if (isSandboxBackend(backend)) {
    throw new ConfigurationError(
      "A command could write past a limit on bytes or files; use readOnly or withPermissions to take 'execute' away.",
    );
  }
  return limitUsage(limited, quota) as Wrapped<B>;
}

function checkQuota(quota: Quota): void {
  checkedConfiguration("withQuota", quota, {
    bytes: "count",
    files: "count",
    operations: "object",
  });
  if (quota.operations !== undefined)
    checkedConfiguration("withQuota's 'operations'", quota.operations, {
      max: "count",
      per: "positive",
    });
}

function limitRate(
  backend: Filesystem,
  { max, per }: NonNullable<Quota["operations"]>,
): Filesystem {
  const recent = new RecentTimes(per);
  return interceptBackend(backend, ({ accesses }, proceed, refuse) => {
    const now = performance.now();
    const oldest = recent.oldestAt(now);
    if (recent.count < max) {
      recent.add(now);
      return proceed();
    }
    const wait = Math.ceil((per - (now - (oldest ?? now))) / 1000);
    const sentence = `Too many calls: at most ${max} in ${per / 1000} s. Try again in ${wait} s.`;
    return Promise.resolve(refuse(failure("quota_exceeded", accesses[0]?.path, sentence)));
  });
}

function limitUsage(backend: Filesystem, quota: Quota): Filesystem {
  const usage = new Usage(backend);
  const plans = new ChangePlans(backend, usage, (change) => exceeds(usage, change, quota));
  const queue = new KeyedQueue();
  const change = <R>(
    path: string,
    plan: () => ChangePlan | Promise<ChangePlan>,
    proceed: () => R | Promise<R>,
    options: CallOptions | null | undefined,
  ): Promise<R | Failure> => {
    const inTurn = async (): Promise<R | Failure> => {
      if (!usage.known && !(await usage.load())) return failure("unavailable", path);
      const asked = plan();
      const planned = isPromise(asked) ? await asked : asked;
      if (planned.change !== undefined && exceeds(usage, planned.change, quota))
        return failure("quota_exceeded", path);
      try {
        const result = await proceed();
        settle(usage, planned, result);
        return result;
      } catch (error) {
        for (const touched of planned.paths) usage.doubt(touched);
        throw error;
      }
    };
    // A call that is given up in the row has changed nothing.
    return queue.run("usage", inTurn, options?.signal).catch((error: unknown) => {
      if (VolumeError.isInstance(error)) return failureFromThrown(error, path);
      throw error;
    });
  };
  return wrapBackend(backend, {
    ls: (inner) => inner,
    read: (inner) => inner,
    stat: (inner) => inner,
    readRaw: (inner) => inner,
    glob: (inner) => inner,
    grep: (inner) => inner,
    downloadFiles: (inner) => inner,
    execute: (inner) => inner,
    write: (inner) => (path, content, options) =>
      change(
        path,
        () => plans.store(path, bytesOf(content)),
        () => inner(path, content, options),
        options,
      ),
    edit: (inner) => (path, old, replacement, replaceAll, options) =>
      change(
        path,
        () => plans.edit(path, [{ old, new: replacement, replaceAll: replaceAll ?? false }]),
        () => inner(path, old, replacement, replaceAll, options),
        options,
      ),
    multiEdit: (inner) => (path, edits, options) =>
      change(
        path,
        () => plans.edit(path, edits),
        () => inner(path, edits, options),
        options,
      ),
    delete: (inner) => (path, options) =>
      change(
        path,
        () => plans.remove(path),
        () => inner(path, options),
        options,
      ),
    move: (inner) => (from, to, options) =>
      change(
        from,
        () => plans.transfer(from, to, false),
        () => inner(from, to, options),
        options,
      ),
    copy: (inner) => (from, to, options) =>
      change(
        from,
        () => plans.transfer(from, to, true),
        () => inner(from, to, options),
        options,
      ),
    // One at a time, so that those that fit are stored and the others refused.
    uploadFiles: (inner) => (files, options) =>
      answerBatch("uploadFiles", files, options, async (call) => {
        if (call.status === "rejected") return inner(files, options);
        const responses: FileUploadResponse[] = [];
        for (const file of files) {
          const [path, bytes] = file;
          const stored = await change(
            path,
            () => plans.store(path, bytes instanceof Uint8Array ? bytes.byteLength : 0),
            () => inner([file], call.value),
            call.value,
          );
          if (Array.isArray(stored)) responses.push(...stored);
          else responses.push({ path, ...batchFailure(stored.code) });
        }
        return responses;
      }),
    removeEmpty: (inner) => inner,
  });
}

/** The backend refuses what is no string; here it only must not throw. */
function bytesOf(content: unknown): number {
  return typeof content === "string" ? utf8Length(content) : 0;
}

/** A change that makes nothing larger is never refused: a full store can still be cleaned up. */
function exceeds(usage: Usage, change: UsageChange, quota: Quota): boolean {
  const { now } = usage;
  const then = usage.after(change);
  return (
    (then.bytes > now.bytes && then.bytes > (quota.bytes ?? Infinity)) ||
    (then.files > now.files && then.files > (quota.files ?? Infinity))
  );
}
