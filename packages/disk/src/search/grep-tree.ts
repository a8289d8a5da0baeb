import {
  comparePaths,
  isWithin,
  VolumeError,
  type GrepQuery,
  type GrepStream,
  type VolumeHit,
} from "@fs/protocol/author";
import { Pacer } from "../file/pacing.js";
import { isMissing, openIfThere } from "../tree/open-if-there.js";
import { describeTree } from "../tree/open-tree.js";
import { isAboutPath, isRefused } from "../tree/refusals.js";
import type { Tree } from "../tree/tree.js";
import { statEntry } from "../walk/stat-entry.js";
import { findRipgrep, type RipgrepChoice } from "./find-ripgrep.js";
import { candidateFiles, RipgrepFailure, ripgrepCanFind, type CandidateSearch } from "./ripgrep.js";
import { hostPath, virtualPath } from "./host-paths.js";
import { NearbyFiles } from "./nearby-files.js";
import { FileScanner } from "./scan-file.js";
import { hasWorker, scanInWorker } from "./scan-in-worker.js";
import { scanPath, scanTree } from "./scan-tree.js";

/** Hits after which a stream hands over what it has. */
const BATCH = 1024;

/** Files that are searched before a thread is started, which costs more than a small tree does. */
const FILES_BEFORE_THREAD = 64;

/**
 * Searches files on the disk. ripgrep only names candidates: every line that is answered was read here, through the tree,
 * and matched by the protocol's own pattern. Without ripgrep a thread does the same over all files.
 */
export async function grepTree(
  tree: Tree,
  query: GrepQuery,
  ripgrep: RipgrepChoice,
): Promise<GrepStream> {
  if (kindOf(tree, query.root) === "file") return sorted(one(await scanRoot(tree, query)));
  const start = startOf(tree, query);
  if (start === undefined) return sorted(one([]));
  const place = new SearchPlace(tree, query, start);
  const program =
    tree.followsLinks || !ripgrepCanFind(query.pattern)
      ? undefined
      : await findRipgrep(ripgrep, tree.root);
  if (program === undefined) return sorted(place.scanAll());
  if (query.limit === Infinity) return { sorted: false, batches: place.scanCandidates(program) };
  return sorted(place.scanFirst(program));
}

function sorted(batches: AsyncIterable<readonly VolumeHit[]>): GrepStream {
  return { sorted: true, batches };
}

async function* one(hits: readonly VolumeHit[]): AsyncGenerator<readonly VolumeHit[]> {
  yield hits;
}

function kindOf(tree: Tree, path: string): "file" | "directory" | undefined {
  try {
    return statEntry(tree, path).kind;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The deepest directory that all candidates lie below; `undefined` when it is not there. */
function startOf(tree: Tree, { root, glob, onUnreadable }: GrepQuery): string | undefined {
  const start = glob !== undefined && isWithin(glob.root, root) ? glob.root : root;
  if (start === root) return isDirectory(tree, start) ? start : undefined;
  try {
    return isDirectory(tree, start) ? start : undefined;
  } catch (error) {
    // Nobody asked for this directory by name, so that one out of bounds is just one without matches.
    if (!isAboutPath(error)) throw error;
    if (isRefused(error)) onUnreadable?.();
    return undefined;
  }
}

function isDirectory(tree: Tree, path: string): boolean {
  try {
    tree.openDirectory(path).close();
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function scanRoot(tree: Tree, query: GrepQuery): Promise<VolumeHit[]> {
  if (!query.accepts(query.root)) return [];
  const file = openIfThere(tree, query.root);
  if (file === undefined) return [];
  const pacer = new Pacer(query.signal);
  const scan = new FileScanner(query.pattern).scan(query.root, file, query.limit);
  for (let step = scan.next(); ; step = scan.next()) {
    if (step.done === true) return step.value;
    if (pacer.due) await pacer.rest();
  }
}

/** One search of one directory, and the ways to do it. */
class SearchPlace {
  readonly #tree: Tree;
  readonly #query: GrepQuery;
  readonly #start: string;
  // One for all of the search: what is read of ripgrep's output may be there at once, without a turn of the event loop.
  readonly #pacer: Pacer;
  #scanner: FileScanner | undefined;

  constructor(tree: Tree, query: GrepQuery, start: string) {
    this.#tree = tree;
    this.#query = query;
    this.#start = start;
    this.#pacer = new Pacer(query.signal);
  }

  /** In order: the first files in slices on this thread, the others in a thread of their own where one can be had. */
  async *scanAll(): AsyncGenerator<readonly VolumeHit[]> {
    let found = 0;
    const scan = this.scanInOrder(hasWorker() ? FILES_BEFORE_THREAD : Infinity);
    let step = await scan.next();
    try {
      for (; step.done !== true; step = await scan.next()) {
        found += step.value.length;
        yield step.value;
      }
    } finally {
      await scan.return(undefined);
    }
    if (step.value !== undefined) yield* this.#scanInThread(step.value, found);
  }

  #scanInThread(after: string, found: number): AsyncGenerator<readonly VolumeHit[]> {
    const { pattern, root, glob, limit, signal, onUnreadable } = this.#query;
    const { source, regex, ignoreCase } = pattern;
    const request = {
      tree: describeTree(this.#tree),
      pattern: { source, regex, ignoreCase },
      root,
      start: this.#start,
      glob: glob?.source,
      limit: limit - found,
      after,
    };
    return scanInWorker(request, signal, onUnreadable);
  }

  /** In order, in slices on this thread. For searches that end soon. Returns where `maxFiles` ended it. */
  async *scanInOrder(
    maxFiles = Infinity,
  ): AsyncGenerator<readonly VolumeHit[], string | undefined> {
    const { pattern, glob, limit, onUnreadable } = this.#query;
    const request = { pattern, start: this.#start, glob, limit, maxFiles, onUnreadable };
    const scan = scanTree(this.#tree, request);
    try {
      for (let step = scan.next(); ; step = scan.next()) {
        if (step.done === true) return step.value;
        if (step.value.length > 0) yield step.value;
        if (this.#pacer.due) await this.#pacer.rest();
      }
    } finally {
      // A reader that stops early must not leave the walk's directories open.
      scan.return(undefined);
    }
  }

  /**
   * In order, as far as the limit needs. ripgrep only names files, and no more than could be needed: where as many hold the
   * pattern as hits are wanted, the first of them are found sooner by going through the tree.
   */
  async *scanFirst(program: string): AsyncGenerator<readonly VolumeHit[]> {
    const paths: string[] = [];
    try {
      for await (const hosts of candidateFiles(this.#candidates(program))) {
        for (const host of hosts) {
          const path = virtualPath(this.#tree, host);
          if (path !== undefined && this.#query.accepts(path)) paths.push(path);
        }
        if (paths.length >= this.#query.limit) break;
      }
    } catch (error) {
      this.#requireFailure(error);
      yield* this.scanAll();
      return;
    }
    if (paths.length >= this.#query.limit) yield* this.scanInOrder();
    else yield* this.#scanFiles(paths.toSorted(comparePaths));
  }

  /** The files that ripgrep names, read and searched here, in no order. */
  async *scanCandidates(program: string): AsyncGenerator<readonly VolumeHit[]> {
    const seen = new Set<string>();
    try {
      for await (const hosts of candidateFiles(this.#candidates(program))) {
        // In order, so that files of one directory come one after the other.
        const paths = hosts
          .flatMap((host) => virtualPath(this.#tree, host) ?? [])
          .toSorted(comparePaths);
        for (const path of paths) seen.add(path);
        yield* this.#scanFiles(paths);
      }
    } catch (error) {
      this.#requireFailure(error);
      for await (const hits of this.scanAll()) yield hits.filter(({ path }) => !seen.has(path));
    }
  }

  #candidates(program: string): CandidateSearch {
    const { pattern, glob, signal, onUnreadable } = this.#query;
    const directory = hostPath(this.#tree, this.#start);
    return { program, pattern, directory, glob: glob?.source, signal, onUnreadable };
  }

  /** Passes on everything but a ripgrep that did not finish, which is no reason to fail. */
  #requireFailure(error: unknown): void {
    if (this.#query.signal?.aborted === true) throw new VolumeError("aborted");
    if (!(error instanceof RipgrepFailure)) throw error;
  }

  async *#scanFiles(paths: readonly string[]): AsyncGenerator<readonly VolumeHit[]> {
    const { pattern, limit, onUnreadable } = this.#query;
    this.#scanner ??= new FileScanner(pattern);
    const files = new NearbyFiles(this.#tree, onUnreadable);
    let batch: VolumeHit[] = [];
    try {
      for (const path of paths) {
        if (!this.#query.accepts(path)) continue;
        for (const step of scanPath(files, this.#scanner, path, limit)) {
          for (const hit of step ?? []) batch.push(hit);
          if (this.#pacer.due) await this.#pacer.rest();
        }
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
    } finally {
      files.close();
    }
    if (batch.length > 0) yield batch;
  }
}
