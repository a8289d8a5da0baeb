import {
  errorKind,
  failureFromThrown,
  isCanonicalFilePath,
  VolumeError,
} from "@fs/protocol/author";
import { KeyedQueue } from "@fs/protocol/async";
import type { StoredFile } from "@fs/protocol/records";
import type { BaseStore, GetOperation, Item, SearchOperation } from "@langchain/langgraph";
import { ALL, everyItem } from "./every-item.js";
import { withoutUnderscores } from "./namespace.js";
import { placeIndexOf, type Filter, type PlaceIndex } from "./place.js";

const queues = new WeakMap<BaseStore, KeyedQueue>();

/** Whether a store takes underscores in a namespace. */
const takesUnderscores = new WeakMap<BaseStore, Promise<boolean>>();

/** Namespaces in which every file was seen to carry its place, and where only files that do are written. */
const placedNamespaces = new WeakMap<BaseStore, Set<string>>();

/** What is under a path: `"other"` is an item that is no file, and belongs to whoever put it there. */
export type StoredItem =
  | { readonly kind: "none" | "other"; readonly file?: undefined }
  | { readonly kind: "file"; readonly file: StoredFile };

/** The files of one namespace of one store. */
export class FileSpace {
  readonly #store: BaseStore;
  readonly #namespace: string[];
  readonly #name: string;
  readonly #places: PlaceIndex;
  readonly #onlyWriter: boolean;

  private constructor(store: BaseStore, namespace: string[], onlyWriter: boolean) {
    this.#store = store;
    this.#namespace = namespace;
    this.#name = JSON.stringify(namespace);
    this.#places = placeIndexOf(store);
    this.#onlyWriter = onlyWriter;
  }

  /**
   * The files of a namespace as {@link storedNamespace} makes it.
   *
   * @param onlyWriter Nothing but this package writes there now, whatever wrote there before.
   */
  static async open(
    given: BaseStore,
    namespace: string[],
    onlyWriter: boolean,
  ): Promise<FileSpace> {
    const store = withBatch(given);
    if (!namespace.some((component) => component.includes("_")))
      return new FileSpace(store, namespace, onlyWriter);
    let takes = takesUnderscores.get(store);
    if (takes === undefined) {
      takes = isTaken(store, namespace);
      takesUnderscores.set(store, takes);
      // A store that could not be asked is asked again.
      takes.catch(() => takesUnderscores.delete(store));
    }
    const stored = (await takes) ? namespace : withoutUnderscores(namespace);
    return new FileSpace(store, stored, onlyWriter);
  }

  async get(path: string): Promise<StoredFile | undefined> {
    return fileOf((await this.#store.get(this.#namespace, path))?.value);
  }

  /** What is under a path: a file, nothing, or an item that is none of ours to replace. */
  async look(path: string): Promise<StoredItem> {
    return itemOf(await this.#store.get(this.#namespace, path));
  }

  /** The same for many paths, in one call. */
  async lookMany(paths: readonly string[]): Promise<StoredItem[]> {
    const operations = paths.map((key) => ({ namespace: this.#namespace, key }));
    return (await this.#store.batch(operations)).map(itemOf);
  }

  /** Puts files, or removes those that are `null`, in one call. */
  async apply(
    files: ReadonlyArray<readonly [path: string, file: StoredFile | null]>,
  ): Promise<void> {
    const [only] = files;
    if (only === undefined) return;
    const operations = files.map(([key, file]) => ({
      namespace: this.#namespace,
      key,
      value: file === null ? null : this.#valueOf(key, file),
    }));
    try {
      if (files.length === 1 && only[1] !== null)
        await this.#store.put(this.#namespace, only[0], this.#valueOf(only[0], only[1]));
      else await this.#store.batch(operations);
    } catch (error) {
      throw asChangeFailed(error);
    }
  }

  #valueOf(path: string, file: StoredFile): Record<string, unknown> {
    return { ...file, ...this.#places.fieldsOf(path) };
  }

  /** Runs a task while no other of this process works on the file. A store itself has no compare-and-swap. */
  async alone<T>(path: string, task: () => Promise<T>): Promise<T> {
    return this.#queue().run(`${this.#name}${path}`, task);
  }

  /** The same for many files. All of them are queued for at once, so that no two batches wait for each other. */
  async aloneWithAll<T>(paths: ReadonlySet<string>, task: () => Promise<T>): Promise<T> {
    const keys = Array.from(paths, (path) => this.#name + path);
    return this.#queue().runAll(keys, task);
  }

  #queue(): KeyedQueue {
    let queue = queues.get(this.#store);
    if (queue === undefined) {
      queue = new KeyedQueue();
      queues.set(this.#store, queue);
    }
    return queue;
  }

  /**
   * The files in and below a directory, and the one that has its path, in one call; more than those where the store cannot
   * tell, or where others wrote files without their place.
   */
  async within(directory: string): Promise<Map<string, StoredFile>> {
    const filters = this.#places.filtersFor(directory);
    if (filters === undefined) return this.all();
    const placedSearch = this.#filtered(filters.placed);
    const itselfRead: GetOperation = { namespace: this.#namespace, key: directory };
    if (this.#allPlaced().has(this.#name)) {
      const operations: [SearchOperation, GetOperation] = [placedSearch, itselfRead];
      const [placed, itself] = await this.#store.batch(operations);
      return this.#filesOf([...placed, ...(itself === null ? [] : [itself])]);
    }
    // What carries no place comes first: a file that gets one in between is then found by it.
    const operations: [SearchOperation, SearchOperation, GetOperation] = [
      this.#filtered(filters.unplaced),
      placedSearch,
      itselfRead,
    ];
    const [unplaced, placed, itself] = await this.#store.batch(operations);
    if (this.#onlyWriter && this.#filesOf(unplaced).size === 0) this.#allPlaced().add(this.#name);
    return this.#filesOf([...unplaced, ...placed, ...(itself === null ? [] : [itself])]);
  }

  /** The namespaces of this store in which no search for files without a place is needed: none, unless they are ours alone. */
  #allPlaced(): Set<string> {
    if (!this.#onlyWriter) return new Set();
    const known = placedNamespaces.get(this.#store) ?? new Set();
    placedNamespaces.set(this.#store, known);
    return known;
  }

  #filtered(filter: Filter): SearchOperation {
    return { namespacePrefix: this.#namespace, filter, limit: ALL, offset: 0 };
  }

  /** All files. */
  async all(): Promise<Map<string, StoredFile>> {
    return this.#filesOf(await everyItem(this.#store, this.#namespace));
  }

  #filesOf(items: readonly Item[]): Map<string, StoredFile> {
    const files = new Map<string, StoredFile>();
    for (const { namespace, key, value } of items) {
      // Stores search by the text of the prefix: `acme` finds `acme-corp` too.
      if (!isSame(namespace, this.#namespace) || !isCanonicalFilePath(key)) continue;
      const file = fileOf(value);
      if (file !== undefined) files.set(key, file);
    }
    return files;
  }
}

async function isTaken(store: BaseStore, namespace: string[]): Promise<boolean> {
  try {
    await store.get(namespace, "/");
    return true;
  } catch (error) {
    // The store's own refusal, which comes before it does anything.
    if (error instanceof Error && /namespace/i.test(error.message)) return false;
    throw error;
  }
}

/** Inside a graph the store is wrapped in one that has no `batch`. */
function withBatch(store: BaseStore): BaseStore {
  const wraps = "lg_name" in store && store.lg_name === "AsyncBatchedStore" && "store" in store;
  return wraps ? (store.store as BaseStore) : store;
}

function isSame(namespace: readonly string[], other: readonly string[]): boolean {
  return (
    namespace.length === other.length && namespace.every((label, index) => label === other[index])
  );
}

/** A store that fails without a refusal of its own may have made the change before it did. */
function asChangeFailed(error: unknown): unknown {
  if (VolumeError.isInstance(error)) return error;
  const { code } = failureFromThrown(error, "");
  if (code !== "unavailable" && code !== "timeout") return error;
  return new VolumeError(
    "unavailable",
    `The store failed (${errorKind(error)}). The change may have happened: look before you repeat it.`,
    { cause: error },
  );
}

function itemOf(item: Item | null): StoredItem {
  if (item === null) return { kind: "none" };
  const file = fileOf(item.value);
  return file === undefined ? { kind: "other" } : { kind: "file", file };
}

function fileOf(value: unknown): StoredFile | undefined {
  const isFile = typeof value === "object" && value !== null && "content" in value;
  return isFile ? value : undefined;
}
