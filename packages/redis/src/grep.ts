import { decodeText, type GrepQuery, type GrepStream, type VolumeHit } from "@fs/protocol/author";
import { isTextBytes, searchLines } from "@fs/protocol/hooks";
import { allowanceFor } from "./allowance.js";
import type { CommandArgument } from "./client.js";
import type { Connection } from "./connection.js";
import type { NamespaceKeys } from "./keyspace.js";
import { listSlices } from "./listing.js";
import { MATCH_BELOW, MATCH_FILES } from "./lua/read-scripts.js";
import { bufferOf, buffersOf, unexpected } from "./replies.js";

/** Files that one script is given. */
const SLICE_FILES = 256;
/** Bytes of a pattern that the server may compare at every position; a longer one is searched here. */
const MAX_NEEDLE = 1024;

interface Candidate {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Finds the files that hold a literal on the server and their lines here, in path order, slice after slice: the server
 * answers others in between, and reading stops at the cap. A regular expression or a comparison without case declines.
 */
export function grepNamespace(
  connection: Connection,
  keys: NamespaceKeys,
  query: GrepQuery,
): GrepStream | undefined {
  const { pattern } = query;
  if (pattern.regex || pattern.ignoreCase) return undefined;
  const needle = Buffer.from(pattern.source);
  if (needle.length > MAX_NEEDLE) return undefined;
  return { batches: search(connection, keys, query, needle), sorted: true };
}

async function* search(
  connection: Connection,
  keys: NamespaceKeys,
  query: GrepQuery,
  needle: Buffer,
): AsyncGenerator<VolumeHit[]> {
  let wanted = query.limit;
  const slices = slicesOf(connection, keys, query, needle, () => wanted);
  for await (const files of slices) {
    const hits: VolumeHit[] = [];
    for (const [path, bytes] of files) {
      if (hits.length >= wanted) break;
      if (!query.accepts(path) || !isTextBytes(bytes)) continue;
      const found = searchLines(decodeText(bytes), query.pattern, wanted - hits.length);
      for (const hit of found) hits.push({ path, ...hit });
    }
    wanted -= hits.length;
    if (hits.length > 0) yield hits;
    if (wanted <= 0) return;
  }
}

type Found = ReadonlyArray<readonly [path: string, bytes: Buffer]>;

/** The files that hold the needle, in path order. */
async function* slicesOf(
  connection: Connection,
  keys: NamespaceKeys,
  { root, glob, accepts, signal }: GrepQuery,
  needle: Buffer,
  wanted: () => number,
): AsyncGenerator<Found> {
  const allowance = allowanceFor(needle.length);
  const head = (from: number): CommandArgument[] => [
    needle,
    allowance,
    from,
    Math.min(wanted(), SLICE_FILES),
  ];
  if (glob === undefined) {
    let next: Buffer | string = "";
    let from = 1;
    let below = false;
    do {
      const args = [...head(from), root, next, SLICE_FILES];
      const reply = replyOf(await connection.run(MATCH_BELOW, keys, args, { signal }));
      next = bufferOf(reply.next) ?? "";
      from = reply.from;
      below ||= next.length > 0 || reply.found.length > 0;
      yield reply.found;
    } while (next.length > 0);
    if (below) return;
  }
  // With a filter, only what may pass it is looked into. The root itself may be a file, which has nothing below it.
  const queue =
    glob === undefined ? [] : await candidates(connection, keys, { root, glob, accepts, signal });
  if (root !== "/" && queue.length === 0 && accepts(root)) queue.push({ path: root, size: 0 });
  let done = 0;
  let from = 1;
  while (done < queue.length) {
    const args = [...head(from), ...sliceOf(queue, done, allowance)];
    const reply = replyOf(await connection.run(MATCH_FILES, keys, args, { signal }));
    if (typeof reply.next !== "number") throw unexpected();
    done += reply.next;
    from = reply.from;
    yield reply.found;
  }
}

async function candidates(
  connection: Connection,
  keys: NamespaceKeys,
  { root, glob, accepts, signal }: Pick<GrepQuery, "root" | "glob" | "accepts" | "signal">,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for await (const slice of listSlices(connection, keys, root, { deep: true, glob, signal })) {
    for (const { path, record } of slice) {
      if (record?.isText === true && accepts(path)) found.push({ path, size: record.size });
    }
  }
  return found;
}

function sliceOf(queue: readonly Candidate[], from: number, most: number): string[] {
  const paths: string[] = [];
  let bytes = 0;
  for (let i = from; i < queue.length && paths.length < SLICE_FILES && bytes < most; i++) {
    const candidate = queue[i];
    if (candidate === undefined) break;
    paths.push(candidate.path);
    bytes += candidate.size;
  }
  return paths;
}

function replyOf(reply: unknown): { next: unknown; from: number; found: Found } {
  if (!Array.isArray(reply)) throw unexpected();
  const [next, from, flat]: unknown[] = reply;
  if (typeof from !== "number") throw unexpected();
  const items = buffersOf(flat);
  const found: Array<readonly [string, Buffer]> = [];
  for (let i = 0; i + 1 < items.length; i += 2) {
    const [path, bytes] = [items[i], items[i + 1]];
    if (path !== undefined && bytes !== undefined) found.push([path.toString(), bytes]);
  }
  return { next, from, found };
}
