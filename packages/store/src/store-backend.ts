import { VolumeBackend, type VolumeBackendOptions } from "@fs/protocol";
import { VolumeError, warnOnce, type FileFormat } from "@fs/protocol/author";
import type { BaseStore } from "@langchain/langgraph";
import { FileSpace } from "./file-space.js";
import { storedNamespace } from "./namespace.js";
import { storeRuntime, type StateAndStore, type StoreRuntime } from "./store-runtime.js";
import { StoreVolume } from "./store-volume.js";

/** Derives a namespace from the runtime of a call. */
export type NamespaceFactory = (runtime: StoreRuntime) => readonly string[];

export interface StoreBackendOptions extends VolumeBackendOptions {
  /**
   * Whose files these are: components of letters, digits and `-_.@+:~`, or what derives them for each call. Default,
   * deprecated: the assistant's id where there is one, then `"filesystem"`.
   */
  namespace?: readonly string[] | NamespaceFactory;
  /** Where they are kept. Default: the running graph's store. */
  store?: BaseStore;
  /** The form in which files are written: strings (`"v2"`, default), or arrays of lines for older readers (`"v1"`). */
  fileFormat?: FileFormat;
}

/**
 * Files in a LangGraph store: they outlive threads, and are told apart by namespace.
 *
 * The constructor throws a `VolumeError` with `invalid_argument` for a namespace that is not valid; one that a factory
 * makes is answered with that code by the call.
 *
 * @example
 * const memories = new StoreBackend({ namespace: (rt) => ["memories", rt.serverInfo.user?.identity ?? "all"] });
 */
export class StoreBackend extends VolumeBackend {
  constructor(options?: StoreBackendOptions);
  /** @deprecated Pass options only: the backend finds the running graph's store by itself. */
  constructor(runtime: StateAndStore, options?: StoreBackendOptions);
  constructor(first: StateAndStore | StoreBackendOptions = {}, second: StoreBackendOptions = {}) {
    const given = isStateAndStore(first) ? first : undefined;
    const options = isStateAndStore(first) ? second : first;
    const { namespace, store, fileFormat = "v2" } = options;
    const fixed = typeof namespace === "object" ? storedNamespace(namespace) : undefined;
    const open = async (): Promise<FileSpace> => {
      const runtime = storeRuntime(given);
      const found = store ?? runtime.store;
      if (found === undefined) throw noStore();
      return FileSpace.open(found, fixed ?? storedNamespace(namespaceFor(namespace, runtime)));
    };
    super(new StoreVolume(open, fileFormat), options);
    if (given !== undefined)
      warnOnce(
        "FS_DEP_STORE_RUNTIME",
        "`new StoreBackend(runtime)` is deprecated: use `new StoreBackend({ namespace })`, which finds the running graph's store by itself.",
      );
  }
}

function isStateAndStore(value: StateAndStore | StoreBackendOptions): value is StateAndStore {
  return "state" in value;
}

function namespaceFor(
  namespace: StoreBackendOptions["namespace"],
  runtime: StoreRuntime,
): readonly string[] {
  if (typeof namespace === "function") return namespace(runtime);
  warnOnce(
    "FS_DEP_STORE_NAMESPACE",
    "A StoreBackend without `namespace` shares its files among all users of an assistant: pass one, as in `namespace: (rt) => [userId]`.",
  );
  const { assistantId } = runtime;
  return assistantId === undefined ? ["filesystem"] : [assistantId, "filesystem"];
}

function noStore(): VolumeError {
  return new VolumeError(
    "unavailable",
    "There is no store: pass `store`, or compile the graph with one.",
  );
}
