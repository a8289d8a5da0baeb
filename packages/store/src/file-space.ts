import { isCanonicalFilePath, KeyedQueue, type StoredFile } from "@fs/protocol/author";
import type { BaseStore, GetOperation, Item, SearchOperation } from "@langchain/langgraph";
import { withoutUnderscores } from "./namespace.js";
import { placeFilters, placeOf, type Filter } from "./place.js";

/** Items that a search asks for; more are asked for at once with four times as many. */
const FIRST_LIMIT = 10_001;

const queues = new WeakMap<BaseStore, KeyedQueue>();
/** The most items that a store ever gave at once: it caps its answers no lower. */
const largestAnswers = new WeakMap<BaseStore, number>();

/** Whether a store takes underscores in a namespace. */
const takesUnderscores = new WeakMap<BaseStore, Promise<boolean>>();

/** The files of one namespace of one store. */
export class FileSpace {
  readonly #store: BaseStore;
  readonly #namespace: string[];
  readonly #name: string;

  private constructor(store: BaseStore, namespace: string[]) {
    this.#store = store;
    this.#namespace = namespace;
    this.#name = JSON.stringify(namespace);
  }

  /** The files of a namespace as {@link storedNamespace} makes it. */
  static async open(given: BaseStore, namespace: string[]): Promise<FileSpace> {
    const store = withBatch(given);
    if (!namespace.some((component) => component.includes("_")))
      return new FileSpace(store, namespace);
    let takes = takesUnderscores.get(store);
    if (takes === undefined) {
      takes = isTaken(store, namespace);
      takesUnderscores.set(store, takes);
      // A store that could not be asked is asked again.
      takes.catch(() => takesUnderscores.delete(store));
    }
    return new FileSpace(store, (await takes) ? namespace : withoutUnderscores(namespace));
  }

  async get(path: string): Promise<StoredFile | undefined> {
    return fileOf((await this.#store.get(this.#namespace, path))?.value);
  }

  /** Many files in one call. */
  async getMany(paths: readonly string[]): Promise<Array<StoredFile | undefined>> {
    const operations = paths.map((key) => ({ namespace: this.#namespace, key }));
    const items = await this.#store.batch(operations);
    return items.map((item) => fileOf(item?.value));
  }

  /** Puts files, or removes those that are `null`, in one call. */
  async apply(
    files: ReadonlyArray<readonly [path: string, file: StoredFile | null]>,
  ): Promise<void> {
    const [only] = files;
    if (files.length === 1 && only !== undefined && only[1] !== null) {
      await this.#store.put(this.#namespace, only[0], { ...only[1], ...placeOf(only[0]) });
      return;
    }
    const operations = files.map(([key, file]) => ({
      namespace: this.#namespace,
      key,
      value: file === null ? null : { ...file, ...placeOf(key) },
    }));
    if (operations.length > 0) await this.#store.batch(operations);
  }

  /** Runs a task while no other of this process works on the file. A store itself has no compare-and-swap. */
  async alone<T>(path: string, task: () => Promise<T>): Promise<T> {
    let queue = queues.get(this.#store);
    if (queue === undefined) {
      queue = new KeyedQueue();
      queues.set(this.#store, queue);
    }
    return queue.run(`${this.#name}${path}`, task);
  }

  /**
   * The files in and below a directory, and the one that has its path, in one call; more than those where the store cannot
   * tell, or where others wrote files without their place.
   */
  async within(directory: string): Promise<Map<string, StoredFile>> {
    const filters = placeFilters(this.#store, directory);
    if (filters === undefined) return this.all();
    for (let limit = FIRST_LIMIT; ; limit *= 4) {
      // What carries no place comes first: a file that gets one in between is then found by it.
      const operations: [SearchOperation, SearchOperation, GetOperation] = [
        this.#filtered(filters.unplaced, limit),
        this.#filtered(filters.placed, limit),
        { namespace: this.#namespace, key: directory },
      ];
      const [unplaced, placed, itself] = await this.#store.batch(operations);
      if (unplaced.length >= limit || placed.length >= limit) continue;
      return this.#filesOf([...unplaced, ...placed, ...(itself === null ? [] : [itself])]);
    }
  }

  #filtered(filter: Filter, limit: number): SearchOperation {
    return { namespacePrefix: this.#namespace, filter, limit, offset: 0 };
  }

  /**
   * All files. One search gives them as they are at one moment; pages would overlap and leave gaps where a store sorts by
   * a time that many items share.
   */
  async all(): Promise<Map<string, StoredFile>> {
    let limit = FIRST_LIMIT;
    let items = await this.#search(0, limit);
    while (items.length >= limit) {
      limit *= 4;
      items = await this.#search(0, limit);
    }
    if (await this.#isCapped(items.length)) items = await this.#pages(items);
    return this.#filesOf(items);
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

  async #search(offset: number, limit: number): ReturnType<BaseStore["search"]> {
    return this.#store.search(this.#namespace, { limit, offset });
  }

  /** Tells whether a store gives fewer items than it was asked for although there are more. Caps are round numbers. */
  async #isCapped(count: number): Promise<boolean> {
    if (count === 0 || count % 10 !== 0) return false;
    if ((largestAnswers.get(this.#store) ?? 0) > count) return false;
    if ((await this.#search(count, 1)).length > 0) return true;
    largestAnswers.set(this.#store, count + 1);
    return false;
  }

  async #pages(
    first: Awaited<ReturnType<BaseStore["search"]>>,
  ): Promise<Awaited<ReturnType<BaseStore["search"]>>> {
    const items = [...first];
    for (let page = first; page.length === first.length;) {
      page = await this.#search(items.length, first.length);
      for (const item of page) items.push(item);
    }
    return items;
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

function fileOf(value: unknown): StoredFile | undefined {
  const isFile = typeof value === "object" && value !== null && "content" in value;
  return isFile ? value : undefined;
}
