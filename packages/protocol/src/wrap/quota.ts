import { KeyedQueue } from "../concurrency/keyed-queue.js";
import { failure } from "../errors/messages.js";
import type { Failure } from "../types/outcome.js";
import { utf8Length } from "../host/utf8-length.js";
import { joinPath, prefixOf } from "../paths/segments.js";
import { applyEdits, replacementOf } from "../text/edit.js";
import type { FileUploadResponse } from "../types/results.js";
import type { EditOperation } from "../types/options.js";
import type { Filesystem } from "../types/protocol.js";
import { adaptBackendProtocol } from "../border/adapt.js";
import type { AnyBackendProtocol } from "../border/any-backend.js";
import { batchFailure } from "../call/batch-failure.js";
import { checkedConfiguration } from "../call/configuration.js";
import { isSandboxBackend } from "../border/guards.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { failureCode, interceptBackend } from "./intercept.js";
import { canonicalOf, Usage, type UsageChange } from "./quota-usage.js";
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
 * same storage is not counted. Changes run one after another, so that two of them cannot share the last byte.
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
  let recent: number[] = [];
  return interceptBackend(backend, async ({ accesses }, proceed, refuse) => {
    const now = performance.now();
    recent = recent.filter((time) => now - time < per);
    if (recent.length >= max) {
      const wait = Math.ceil((per - (now - (recent[0] ?? now))) / 1000);
      const sentence = `Too many calls: at most ${max} in ${per / 1000} s. Try again in ${wait} s.`;
      return refuse(failure("quota_exceeded", accesses[0]?.path, sentence));
    }
    recent.push(now);
    return proceed();
  });
}

function limitUsage(backend: Filesystem, quota: Quota): Filesystem {
  const usage = new Usage(backend);
  const queue = new KeyedQueue();
  const change = <R>(
    path: string,
    plan: () => UsageChange | undefined | Promise<UsageChange | undefined>,
    proceed: () => R | Promise<R>,
  ): Promise<R | Failure> =>
    queue.run("usage", async () => {
      if (!(await usage.load())) return failure("unavailable", path);
      const planned = await plan();
      if (planned !== undefined && exceeds(usage, planned, quota))
        return failure("quota_exceeded", path);
      const result = await proceed();
      if (planned === undefined) usage.forget();
      else if (failureCode(result) === undefined) usage.apply(planned);
      return result;
    });
  const edited = async (
    path: string,
    edits: readonly EditOperation[],
  ): Promise<UsageChange | undefined> => {
    const { data } = await backend.readRaw(path);
    if (typeof data?.content !== "string" || !areEdits(edits)) return undefined;
    const outcome = applyEdits(data.content, edits.map(replacementOf));
    if (outcome.refusal !== undefined) return undefined;
    return new Map([[canonicalOf(path), utf8Length(outcome.text)]]);
  };
  const transferred = (from: string, to: string, keep: boolean): UsageChange => {
    const [source, target] = [canonicalOf(from), canonicalOf(to)];
    const sizes = new Map<string, number | undefined>();
    for (const file of usage.below(source)) {
      if (!keep) sizes.set(file, undefined);
      const rest = file === source ? "" : file.slice(prefixOf(source).length);
      sizes.set(joinPath(target, rest), usage.size(file));
    }
    return sizes;
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
        () => new Map([[canonicalOf(path), bytesOf(content)]]),
        () => inner(path, content, options),
      ),
    edit: (inner) => (path, old, replacement, replaceAll, options) =>
      change(
        path,
        () => edited(path, [{ old, new: replacement, replaceAll: replaceAll ?? false }]),
        () => inner(path, old, replacement, replaceAll, options),
      ),
    multiEdit: (inner) => (path, edits, options) =>
      change(
        path,
        () => edited(path, edits),
        () => inner(path, edits, options),
      ),
    delete: (inner) => (path, options) =>
      change(
        path,
        () => new Map(usage.below(canonicalOf(path)).map((file) => [file, undefined])),
        () => inner(path, options),
      ),
    move: (inner) => (from, to, options) =>
      change(
        from,
        () => transferred(from, to, false),
        () => inner(from, to, options),
      ),
    copy: (inner) => (from, to, options) =>
      change(
        from,
        () => transferred(from, to, true),
        () => inner(from, to, options),
      ),
    // One at a time, so that those that fit are stored and the others refused.
    uploadFiles: (inner) => async (files, options) => {
      const responses: FileUploadResponse[] = [];
      for (const file of files) {
        const [path, bytes] = file;
        const stored = await change(
          path,
          () => new Map([[canonicalOf(path), bytes instanceof Uint8Array ? bytes.byteLength : 0]]),
          () => inner([file], options),
        );
        if (Array.isArray(stored)) responses.push(...stored);
        else responses.push({ path, ...batchFailure(stored.code) });
      }
      return responses;
    },
  });
}

/** The backend refuses anything else; here it only must not throw. */
function areEdits(edits: readonly EditOperation[]): boolean {
  return (
    Array.isArray(edits) &&
    edits.every((edit) => typeof edit?.old === "string" && typeof edit.new === "string")
  );
}

/** The backend refuses what is no string; here it only must not throw. */
function bytesOf(content: unknown): number {
  return typeof content === "string" ? utf8Length(content) : 0;
}

/** A change that makes nothing larger is never refused: a full store can still be cleaned up. */
function exceeds(usage: Usage, change: UsageChange, quota: Quota): boolean {
  const now = usage.after(new Map());
  const then = usage.after(change);
  return (
    (then.bytes > now.bytes && then.bytes > (quota.bytes ?? Infinity)) ||
    (then.files > now.files && then.files > (quota.files ?? Infinity))
  );
}
