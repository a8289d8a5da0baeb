import { fileOperationError } from "../backend/transfer-batch.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import type { ErrorCode } from "../errors/codes.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { canonicalFilePath } from "../paths/path.js";
import type { CallOptions } from "../types/options.js";
import type {
  FileDownloadResponse,
  FileOperationError,
  FileUploadResponse,
} from "../types/results.js";
import { toInner, type Mount, type MountTable } from "./mount-table.js";

/** Mounts served at the same time. */
const WIDTH = 16;

interface BatchError {
  error: FileOperationError;
  code: ErrorCode;
}

/** Uploads each file to its mount, mounts side by side; answers in input order. */
export async function uploadRouted(
  table: MountTable,
  files: ReadonlyArray<readonly [string, Uint8Array]>,
  options: CallOptions,
): Promise<FileUploadResponse[]> {
  return byMount(
    table,
    files,
    (file) => file?.[0],
    (path, failed) => ({ path, ...failed }),
    ({ backend }) =>
      backend.uploadFiles === undefined
        ? undefined
        : (items) =>
            backend.uploadFiles?.(
              items.map(({ inner, item }) => [inner, item[1]]),
              options,
            ) ?? [],
  );
}

/** Downloads each file from its mount, mounts side by side; answers in input order. */
export async function downloadRouted(
  table: MountTable,
  paths: readonly string[],
  options: CallOptions,
): Promise<FileDownloadResponse[]> {
  return byMount(
    table,
    paths,
    (path) => path,
    (path, failed) => ({ path, content: null, ...failed }),
    ({ backend }) =>
      backend.downloadFiles === undefined
        ? undefined
        : (items) =>
            backend.downloadFiles?.(
              items.map(({ inner }) => inner),
              options,
            ) ?? [],
  );
}

interface Routed<T> {
  readonly item: T;
  readonly inner: string;
  readonly index: number;
}

async function byMount<T, R extends { path: string }>(
  table: MountTable,
  items: readonly T[],
  pathOf: (item: T) => string,
  failed: (path: string, error: BatchError) => R,
  method: (mount: Mount) => ((items: ReadonlyArray<Routed<T>>) => R[] | Promise<R[]>) | undefined,
): Promise<R[]> {
  const answers = new Map<number, R>();
  const groups = new Map<Mount, Array<Routed<T>>>();
  for (const [index, item] of items.entries()) {
    const canonical = canonicalFilePath(pathOf(item));
    if (canonical.failure !== undefined) {
      answers.set(index, failed(pathOf(item), batchError(canonical.failure.code)));
      continue;
    }
    const mount = table.ownerOf(canonical.path);
    const group = groups.get(mount) ?? [];
    groups.set(mount, group);
    group.push({ item, inner: toInner(mount, canonical.path), index });
  }
  await mapConcurrently([...groups], WIDTH, async ([mount, group]) => {
    for (const [index, answer] of await answersOf(group, method(mount))) answers.set(index, answer);
  });
  return items.map((item, index) => {
    const path = pathOf(item);
    const answer = answers.get(index);
    return answer === undefined ? failed(path, batchError("unavailable")) : { ...answer, path };
  });

  async function answersOf(
    group: ReadonlyArray<Routed<T>>,
    call: ((items: ReadonlyArray<Routed<T>>) => R[] | Promise<R[]>) | undefined,
  ): Promise<Array<readonly [number, R]>> {
    const all = (code: ErrorCode): Array<readonly [number, R]> =>
      group.map(({ item, index }) => [index, failed(pathOf(item), batchError(code))]);
    if (call === undefined) return all("unsupported");
    try {
      const results = await call(group);
      return group.flatMap(({ index }, i) => {
        const result = results[i];
        return result === undefined ? [] : [[index, result] as const];
      });
    } catch (error) {
      return all(failureFromThrown(error, "/").code);
    }
  }
}

function batchError(code: ErrorCode): BatchError {
  return { error: fileOperationError(code), code };
}
