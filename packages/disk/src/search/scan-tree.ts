import { comparePaths, type VolumeHit } from "@fs/protocol/author";
import { isMediaPath, type LinePattern, type PathGlob } from "@fs/protocol/hooks";
import type { Tree } from "../tree/tree.js";
import { walkFiles } from "../walk/walk-files.js";
import { NearbyFiles } from "./nearby-files.js";
import { FileScanner } from "./scan-file.js";

/** Hits after which a search hands over what it has. */
const BATCH = 256;

export interface ScanRequest {
  readonly pattern: LinePattern;
  /** The directory to walk: `root` or below. */
  readonly start: string;
  readonly glob?: PathGlob | undefined;
  /** Hits after which to stop. */
  readonly limit: number;
  /** A path: it and what sorts before it was searched already. */
  readonly after?: string | undefined;
  /** Files after which to pause for good; what is left is searched by another call. */
  readonly maxFiles?: number;
  /** Called when the system refuses to show a directory or a file. */
  readonly onUnreadable?: (() => void) | undefined;
}

/**
 * Searches all files below a directory in the order of their paths. Yields batches of hits, empty ones as a chance to
 * pause. Unreadable and vanishing files are left out. Returns the last path that was searched when `maxFiles` ended the
 * search, else `undefined`.
 */
export function* scanTree(
  tree: Tree,
  request: ScanRequest,
): Generator<readonly VolumeHit[], string | undefined> {
  const files = new NearbyFiles(tree, request.onUnreadable);
  try {
    return yield* scanFiles(tree, files, request);
  } finally {
    files.close();
  }
}

function* scanFiles(
  tree: Tree,
  nearby: NearbyFiles,
  request: ScanRequest,
): Generator<readonly VolumeHit[], string | undefined> {
  const { pattern, start, glob, limit, after, maxFiles = Infinity, onUnreadable } = request;
  const scanner = new FileScanner(pattern);
  let left = limit;
  let searched = 0;
  let batch: VolumeHit[] = [];
  for (const files of walkFiles(tree, start, { glob, stat: false, onUnreadable })) {
    for (const { path } of files) {
      if (isMediaPath(path)) continue;
      if (after !== undefined && comparePaths(path, after) <= 0) continue;
      for (const step of scanPath(nearby, scanner, path, left)) {
        if (step === undefined) {
          yield [];
          continue;
        }
        left -= step.length;
        for (const hit of step) batch.push(hit);
      }
      if (batch.length >= BATCH) {
        yield batch;
        batch = [];
      } else yield [];
      searched++;
      if (left > 0 && searched < maxFiles) continue;
      if (batch.length > 0) yield batch;
      return left > 0 ? path : undefined;
    }
  }
  if (batch.length > 0) yield batch;
  return undefined;
}

/** The hits of one file, once, after any number of pauses. */
export function* scanPath(
  files: NearbyFiles,
  scanner: FileScanner,
  path: string,
  limit: number,
): Generator<VolumeHit[] | undefined> {
  const file = files.open(path);
  if (file !== undefined) yield yield* scanner.scan(path, file, limit);
}
