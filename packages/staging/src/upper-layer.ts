import {
  type BlobStore,
  blobStore,
  type FileAccess,
  fileAccess,
  type IntentLog,
  intentLog,
  jsonBytes,
  jsonOf,
  type Side,
} from "@fs/changes";
import type { AnyBackendProtocol } from "@fs/protocol";
import { ancestorsOf, isWithin, VolumeError } from "@fs/protocol/author";
import { codedDirectory, codedPath, codedTree, ENTRIES, TREES } from "./coded-path.js";
import { ofStoring, withoutInnerPaths } from "./inner-paths.js";
import { isLost } from "./lost-rounds.js";
import { type Entry, entryOf, type GoneEntry, type GoneTreeEntry, type PutEntry } from "./entry.js";

/** An entry with its version in the upper layer, for a compare-and-swap. */
export interface Held<E extends Entry = Entry> {
  readonly entry: E;
  readonly version: string;
}

/** What the upper layer says of one path. */
export interface StagedPath {
  readonly own?: Held<PutEntry> | Held<GoneEntry> | undefined;
  /** The base's file, where its directory was removed with it. */
  readonly hidden?: Side | undefined;
}

/** What the upper layer says of everything at or below a directory. */
export interface Overlay {
  readonly puts: ReadonlyMap<string, Held<PutEntry>>;
  /** Files of the base that are removed, by path. */
  readonly gone: ReadonlyMap<string, Side>;
  /** The entries behind `gone`. */
  readonly removals: ReadonlyArray<Held<GoneEntry> | Held<GoneTreeEntry>>;
}

/** Entries that are remembered, so that a listing fetches only those that changed. */
const MAX_REMEMBERED = 20_000;

/** The staged changes in their storage. Whoever shares it sees the same; every change is a compare-and-swap of one entry. */
export class UpperLayer {
  readonly blobs: BlobStore;
  readonly files: FileAccess;
  readonly #remembered = new Map<string, Held>();
  readonly #log: IntentLog;

  constructor(backend: AnyBackendProtocol) {
    this.files = withoutInnerPaths(fileAccess(backend));
    this.blobs = withoutInnerPaths(blobStore(backend));
    if (!this.files.guardedAt(`${ENTRIES}/f`))
      throw new TypeError("'upper' must be a backend with versions and conditional uploads.");
    this.#log = withoutInnerPaths(intentLog(backend));
  }

  /** Two calls at once, whatever the depth. */
  async at(path: string, signal?: AbortSignal): Promise<StagedPath> {
    const [found] = await this.atMany([path], signal);
    return found ?? {};
  }

  /** As {@link at}, for many paths in the same two calls. */
  async atMany(paths: readonly string[], signal?: AbortSignal): Promise<StagedPath[]> {
    const [owns, trees] = await Promise.all([
      this.#fetch(paths.map(codedPath), signal),
      this.trees(signal),
    ]);
    return paths.map((path, index) => {
      const own = owns[index];
      const side = trees.map(({ entry }) => ownValue(entry.files, path)).find(Boolean);
      return {
        ...(isFileEntry(own) && { own }),
        ...(side !== undefined && { hidden: side }),
      };
    });
  }

  /** All entries at or below a directory, and the removed directories that hide files in it. */
  async below(directory: string, signal?: AbortSignal): Promise<Overlay> {
    const own = directory === "/" ? [] : [codedPath(directory)];
    const [at, entries, trees] = await Promise.all([
      this.#fetch(own, signal),
      this.#list(codedDirectory(directory), signal),
      this.trees(signal),
    ]);
    return overlayOf(directory, [...at.filter((held) => held !== undefined), ...entries, ...trees]);
  }

  /** What is staged at, above and below some paths, and perhaps beside them: of one path alone only what is near it. */
  async around(paths: readonly string[], signal?: AbortSignal): Promise<Overlay> {
    const [only = ""] = paths;
    if (paths.length !== 1 || only === "/") return this.below("/", signal);
    const [above, below, trees] = await Promise.all([
      this.#fetch([only, ...ancestorsOf(only)].map(codedPath), signal),
      this.#list(codedDirectory(only), signal),
      this.trees(signal),
    ]);
    return overlayOf("/", [...above.filter((held) => held !== undefined), ...below, ...trees]);
  }

  /** The entries of all removed directories: one call where none has changed since the last. */
  async trees(signal?: AbortSignal): Promise<Array<Held<GoneTreeEntry>>> {
    return (await this.#list(TREES, signal)).filter(isTree);
  }

  /** The removed directory's own entry. */
  async tree(path: string, signal?: AbortSignal): Promise<Held<GoneTreeEntry> | undefined> {
    const [found] = await this.#fetch([codedTree(path)], signal);
    return found !== undefined && isTree(found) ? found : undefined;
  }

  /** Stores an entry in place of another, or of none. Throws `conflict` or `already_exists` when it is not as held. */
  async store<E extends Entry>(
    entry: E,
    held: Held | undefined,
    signal?: AbortSignal,
  ): Promise<Held<E>> {
    const condition = held === undefined ? { ifAbsent: true } : { ifVersion: held.version };
    const storing = this.files.put(placeOf(entry), jsonBytes(entry), condition, signal);
    const { version = "" } = await storing.catch(refuseStoring);
    const stored = { entry, version };
    this.#remember(placeOf(entry), stored);
    return stored;
  }

  /** The paths of which a commit that is under way, or has died, has frozen a change. */
  async frozen(signal?: AbortSignal): Promise<ReadonlySet<string>> {
    const open = await this.#log.open(signal);
    return new Set(open?.changes.map(({ path }) => path));
  }

  /**
   * As {@link store}, for many entries in one call, in input order: `lost` where one is not as held, or why it is not known to
   * be stored.
   */
  async storeMany<E extends Entry>(
    entries: ReadonlyArray<{ readonly entry: E; readonly held: Held | undefined }>,
    signal?: AbortSignal,
  ): Promise<Array<Held<E> | "lost" | VolumeError>> {
    if (entries.length === 0) return [];
    const answers = await this.files.putMany(
      entries.map(({ entry, held }) => [
        placeOf(entry),
        jsonBytes(entry),
        held === undefined ? { ifAbsent: true } : { ifVersion: held.version },
      ]),
      signal,
    );
    return entries.map(({ entry }, index) => {
      const answer = answers[index] ?? new VolumeError("unavailable");
      if (answer instanceof VolumeError) return isLost(answer) ? "lost" : ofStoring(answer);
      const stored = { entry, version: answer.version ?? "" };
      this.#remember(placeOf(entry), stored);
      return stored;
    });
  }

  /** Takes an entry away. Throws `conflict` when it is not as held; one that is gone already is gone. */
  async drop({ entry, version }: Held, signal?: AbortSignal): Promise<void> {
    await this.files.remove(placeOf(entry), version, signal).catch(refuseStoring);
  }

  async #list(directory: string, signal?: AbortSignal): Promise<Held[]> {
    const listed = await this.files.files(directory, "**/*", signal);
    const known = new Map<string, Held>();
    for (const { path, version } of listed) {
      const remembered = this.#remembered.get(path);
      if (version !== undefined && remembered?.version === version) known.set(path, remembered);
    }
    const missing = listed.map(({ path }) => path).filter((path) => !known.has(path));
    const fetched = await this.#fetch(missing, signal);
    return [...known.values(), ...fetched.filter((held) => held !== undefined)];
  }

  async #fetch(paths: readonly string[], signal?: AbortSignal): Promise<Array<Held | undefined>> {
    const files = await this.files.getMany(paths, signal);
    return files.map((file, index) => {
      const path = paths[index] ?? "";
      if (file === undefined) {
        this.#remembered.delete(path);
        return undefined;
      }
      const held = { entry: entryOf(jsonOf(path, file)), version: file.version ?? "" };
      this.#remember(path, held);
      return held;
    });
  }

  #remember(path: string, held: Held): void {
    this.#remembered.delete(path);
    this.#remembered.set(path, held);
    const oldest = this.#remembered.keys().next();
    if (this.#remembered.size > MAX_REMEMBERED && oldest.done !== true)
      this.#remembered.delete(oldest.value);
  }
}

function refuseStoring(error: unknown): never {
  throw ofStoring(error);
}

function placeOf({ op, path }: Entry): string {
  return op === "gone-tree" ? codedTree(path) : codedPath(path);
}

function isTree(held: Held | undefined): held is Held<GoneTreeEntry> {
  return held?.entry.op === "gone-tree";
}

function isFileEntry(held: Held | undefined): held is Held<PutEntry> | Held<GoneEntry> {
  return held !== undefined && !isTree(held);
}

function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function overlayOf(directory: string, held: readonly Held[]): Overlay {
  const puts = new Map<string, Held<PutEntry>>();
  const gone = new Map<string, Side>();
  const removals: Array<Held<GoneEntry> | Held<GoneTreeEntry>> = [];
  for (const { entry, version } of held) {
    if (entry.op === "gone-tree") {
      removals.push({ entry, version });
      for (const [path, side] of Object.entries(entry.files))
        if (isWithin(path, directory)) gone.set(path, side);
    } else if (isWithin(entry.path, directory)) {
      if (entry.op === "put") puts.set(entry.path, { entry, version });
      else removals.push({ entry, version });
    }
  }
  for (const { entry } of removals) if (entry.op === "gone") gone.set(entry.path, entry.base);
  for (const path of puts.keys()) gone.delete(path);
  return { puts, gone, removals };
}
