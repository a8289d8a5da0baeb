import { answerBatch, batchPaths, refusedBatch } from "../call/answer-batch.js";
import type { ErrorCode } from "../errors/codes.js";
import { ownArguments } from "../call/own-arguments.js";
import { batchFailure, type BatchFailure } from "../call/batch-failure.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { canonicalFilePath } from "../paths/path.js";
import type { CallOptions, UploadFile } from "../types/options.js";
import type { FileDownloadResponse, FileUploadResponse } from "../types/results.js";
import { toInner, type Mount, type MountTable } from "./mount-table.js";

/** Mounts served at the same time. */
const WIDTH = 16;

/** Uploads each file to its mount, mounts side by side; answers in input order. */
export async function uploadRouted(
  table: MountTable,
  given: readonly UploadFile[],
  options: CallOptions | null | undefined,
): Promise<FileUploadResponse[]> {
  const [files] = ownArguments([Array.isArray(given) ? given : []]);
  return routed("uploadFiles", table, files, options, (checked) => ({
    pathOf: (file) => file?.[0],
    failed: (path, failure) => ({ path, ...failure }),
    call: async ({ backend }, items) =>
      backend.uploadFiles?.(
        items.map(({ inner, item: [, ...rest] }) => [inner, ...rest] as UploadFile),
        checked,
      ),
  }));
}

/** Downloads each file from its mount, mounts side by side; answers in input order. */
export async function downloadRouted(
  table: MountTable,
  paths: readonly string[],
  options: CallOptions | null | undefined,
): Promise<FileDownloadResponse[]> {
  const own = Array.isArray(paths) ? Array.from(paths) : [];
  return routed("downloadFiles", table, own, options, (checked) => ({
    pathOf: (path) => path,
    failed: (path, failure) => ({ path, content: null, ...failure }),
    call: async ({ backend }, items) =>
      backend.downloadFiles?.(
        items.map(({ inner }) => inner),
        checked,
      ),
  }));
}

interface Routed<T> {
  readonly item: T;
  /** The path as the mount's backend knows it. */
  readonly inner: string;
  readonly index: number;
}

interface BatchMethod<T, R> {
  pathOf(item: T): string;
  failed(path: string, failure: BatchFailure): R;
  /** The mount's answers in order; `undefined` where its backend has no such method. */
  call(mount: Mount, items: ReadonlyArray<Routed<T>>): Promise<readonly R[] | undefined>;
}

/** A batch with checked options, that ends with its signal also where a backend does not know signals. */
function routed<T, R extends { path: string }>(
  method: "uploadFiles" | "downloadFiles",
  table: MountTable,
  items: readonly T[],
  options: CallOptions | null | undefined,
  of: (checked: CallOptions) => BatchMethod<T, R>,
): Promise<R[]> {
  return answerBatch(method, items, options, async (call) => {
    const refused = (code: ErrorCode): R[] => refusedBatch(method, batchPaths(items), code) as R[];
    if (call.status === "rejected") return refused(failureFromThrown(call.reason, "").code);
    if (call.value.signal?.aborted === true) return refused("aborted");
    return byMount(table, items, of(call.value));
  });
}

async function byMount<T, R extends { path: string }>(
  table: MountTable,
  items: readonly T[],
  { pathOf, failed, call }: BatchMethod<T, R>,
): Promise<R[]> {
  const answers = new Map<number, R>();
  const groups = new Map<Mount, Array<Routed<T>>>();
  for (const [index, item] of items.entries()) {
    const path = pathOf(item);
    const canonical = canonicalFilePath(path);
    if (canonical.failure !== undefined) {
      answers.set(index, failed(path, batchFailure(canonical.failure.code)));
      continue;
    }
    // A file of its owner under this name is hidden: it could neither be listed nor read nor removed.
    if (table.isStructure(canonical.path)) {
      answers.set(index, failed(path, batchFailure("is_directory")));
      continue;
    }
    const mount = table.ownerOf(canonical.path);
    const group = groups.get(mount) ?? [];
    groups.set(mount, group);
    group.push({ item, inner: toInner(mount, canonical.path), index });
  }
  await mapConcurrently([...groups], WIDTH, async ([mount, group]) => {
    const answered = await outcomeOf(() => call(mount, group));
    for (const [position, { item, index }] of group.entries()) {
      const path = pathOf(item);
      if (answered.status === "rejected") {
        const { code } = failureFromThrown(answered.reason, path);
        answers.set(index, failed(path, batchFailure(code)));
      } else {
        const missing = answered.value === undefined ? "unsupported" : "unavailable";
        answers.set(index, answered.value?.[position] ?? failed(path, batchFailure(missing)));
      }
    }
  });
  return items.map((item, index) => {
    const path = pathOf(item);
    const answer = answers.get(index) ?? failed(path, batchFailure("unavailable"));
    return { ...answer, path };
  });
}
