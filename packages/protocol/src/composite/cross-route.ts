import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { failure } from "../errors/messages.js";
import { joinPath, prefixOf } from "../paths/segments.js";
import type { TransferOptions } from "../types/options.js";
import type { BackendProtocolV2 } from "../types/protocol.js";
import type { ResultBase, TransferResult } from "../types/results.js";

/** Files under way at once. */
const WIDTH = 8;

type Filesystem = Required<
  Pick<BackendProtocolV2, "downloadFiles" | "uploadFiles" | "glob" | "ls" | "delete">
>;

/**
 * Copies between two mounts, through this process: every file is fetched, stored, and read back to verify it. A move
 * then removes the source. When anything fails the source is intact, and the files that had arrived are removed.
 *
 * @param all The composite itself, so that mounts below the source come along.
 */
export async function transferAcross(
  all: Filesystem,
  kind: "move" | "copy",
  from: string,
  to: string,
  options: TransferOptions,
): Promise<TransferResult> {
  const call = options.signal === undefined ? {} : { signal: options.signal };
  const sources = await sourcesOf(all, from, call);
  if (!Array.isArray(sources)) return sources;
  const target = (path: string): string =>
    path === from ? to : joinPath(to, path.slice(prefixOf(from).length));
  const arrived: string[] = [];
  const copied = await mapConcurrently(sources, WIDTH, async (path): Promise<ResultBase> => {
    const existed = await exists(all, target(path), call);
    if (existed && options.overwrite !== true) return failure("already_exists", target(path));
    const result = await copyVerified(all, path, target(path), call);
    if (!existed && result.error === undefined) arrived.push(target(path));
    return result;
  });
  const failed = copied.find(({ error }) => error !== undefined);
  if (failed !== undefined) {
    await mapConcurrently(arrived, WIDTH, async (path) => all.delete(path));
    return failed;
  }
  if (kind === "move") {
    const removed = await all.delete(from, call);
    if (removed.error !== undefined)
      return failure(removed.code ?? "unavailable", from, removed.error);
  }
  return { path: to, files: sources.length };
}

async function sourcesOf(
  all: Filesystem,
  from: string,
  call: object,
): Promise<string[] | ResultBase> {
  const [file] = await all.downloadFiles([from], call);
  if (file?.error === null) return [from];
  if (file?.error !== "is_directory" && file?.error !== "file_not_found") {
    return failure(file?.code ?? "unavailable", from);
  }
  const below = await all.glob("**", from, call);
  if (below.error !== undefined) return below;
  const paths = below.files?.map(({ path }) => path) ?? [];
  return paths.length === 0 ? failure("not_found", from) : paths;
}

async function exists(all: Filesystem, path: string, call: object): Promise<boolean> {
  const [file] = await all.downloadFiles([path], call);
  return file?.error !== "file_not_found";
}

async function copyVerified(
  all: Filesystem,
  from: string,
  to: string,
  call: object,
): Promise<ResultBase> {
  const [source] = await all.downloadFiles([from], call);
  if (source === undefined || source.content === null)
    return failure(source?.code ?? "not_found", from);
  const [stored] = await all.uploadFiles([[to, source.content]], call);
  if (stored === undefined || stored.error !== null)
    return failure(stored?.code ?? "unavailable", to);
  const [back] = await all.downloadFiles([to], call);
  if (back === undefined || back.content === null || !sameBytes(back.content, source.content)) {
    return failure("conflict", to);
  }
  return {};
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
