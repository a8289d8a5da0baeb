import {
  comparePaths,
  decodeText,
  isTextBytes,
  searchLines,
  type GrepQuery,
  type GrepStream,
  type VolumeHit,
} from "@fs/protocol/volume";
import { allowanceFor } from "./allowance.js";
import type { Connection } from "./connection.js";
import { childRange, deeperRange } from "./entries.js";
import type { NamespaceKeys } from "./keyspace.js";
import { rangeOf } from "./listing.js";
import { MATCH } from "./lua/read-scripts.js";
import { bufferOf, unexpected } from "./replies.js";

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
  const queue = await candidates(connection, keys, query);
  const allowance = allowanceFor(needle.length);
  let next = 0;
  let from = 1;
  let wanted = query.limit;
  while (next < queue.length && wanted > 0) {
    query.signal?.throwIfAborted();
    const slice = sliceOf(queue, next, allowance);
    const args = [needle, allowance, from, ...slice];
    const reply = matchesOf(await connection.run(MATCH, keys, args));
    const hits: VolumeHit[] = [];
    for (const [index, bytes] of reply.files) {
      const path = slice[index];
      if (path === undefined) throw unexpected();
      const limit = wanted - hits.length;
      if (limit <= 0) break;
      if (!isTextBytes(bytes)) continue;
      for (const hit of searchLines(decodeText(bytes), query.pattern, limit)) {
        hits.push({ path, ...hit });
      }
    }
    wanted -= hits.length;
    if (hits.length > 0) yield hits;
    next += reply.done;
    from = reply.from;
  }
}

async function candidates(
  connection: Connection,
  keys: NamespaceKeys,
  query: GrepQuery,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const range of [childRange(query.root), deeperRange(query.root)]) {
    for await (const batch of rangeOf(connection, keys, range)) {
      query.signal?.throwIfAborted();
      for (const { path, record } of batch) {
        if (record?.isText === true && query.accepts(path)) found.push({ path, size: record.size });
      }
    }
  }
  if (found.length === 0 && query.root !== "/") {
    // The root may be a file. A directory or nothing has no content, which the script passes over.
    return query.accepts(query.root) ? [{ path: query.root, size: 0 }] : [];
  }
  return found.toSorted((a, b) => comparePaths(a.path, b.path));
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

interface Matches {
  /** Files of the slice that are done. */
  readonly done: number;
  /** Where to go on in the next file: a byte, from 1. */
  readonly from: number;
  readonly files: ReadonlyArray<readonly [index: number, bytes: Buffer]>;
}

function matchesOf(reply: unknown): Matches {
  if (!Array.isArray(reply)) throw unexpected();
  const [done, from, found]: unknown[] = reply;
  if (typeof done !== "number" || typeof from !== "number" || !Array.isArray(found))
    throw unexpected();
  const files: Array<readonly [number, Buffer]> = [];
  for (let i = 0; i < found.length; i += 2) {
    const index: unknown = found[i];
    const bytes = bufferOf(found[i + 1]);
    if (typeof index !== "number" || bytes === undefined) throw unexpected();
    files.push([index, bytes]);
  }
  return { done, from, files };
}
